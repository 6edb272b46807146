// No type need be written for objects to be refused, whatever they are wrapped in.

import Skiathos

func misuse(_ dal: DataAccessLayer) async throws {
    let found = try await dal.write { try User.find(1, in: $0) }
    // expected-error: an object stays in the write that made it
    let users = try await dal.write { try User.all(in: $0) }
    // expected-error: an object stays in the write that made it
    let pair = try await dal.write { (1, try User.create(in: $0)) }
    // expected-error: an object stays in the write that made it
    print(found as Any, users, pair)
}

func misuseBlocking(_ dal: DataAccessLayer) throws {
    let found = try dal.write { try User.find(1, in: $0) }
    // expected-error: an object stays in the write that made it
    let users = try dal.write { try User.all(in: $0) }
    // expected-error: an object stays in the write that made it
    let pair = try dal.write { (1, try User.create(in: $0)) }
    // expected-error: an object stays in the write that made it
    print(found as Any, users, pair)
}
