// The closure runs on another thread, where the caller's variable may change meanwhile.

import Skiathos

func misuse(_ dal: DataAccessLayer) async throws {
    var age = 17
    age += 1
    print(try await dal.read { try User.count(where: { $0.age > age }, in: $0) })
    // expected-error: reference to captured var 'age' in concurrently-executing code
}
