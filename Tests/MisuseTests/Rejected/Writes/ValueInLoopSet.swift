// Copies of values cannot be changed as if they were the objects of the write.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.write { context in
        for user in try User.all(in: context).map(\.value) {
            user.age += 1
            // expected-error: isn't mutable: 'user' is a 'let' constant
        }
    }
}
