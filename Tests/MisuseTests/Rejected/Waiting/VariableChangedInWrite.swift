// What a write found is returned; a variable would keep it though the write fails.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    var count = 0
    try dal.write { context in
        count += try User.deleteAll(in: context)
        // expected-error: mutation of captured var 'count' in concurrently-executing code
    }
    print(count)
}
