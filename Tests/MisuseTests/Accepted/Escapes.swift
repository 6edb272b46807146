// What the compiler does not see: ways for an object to leave its write that the documents name.
// Any use of the object afterwards stops the program.

import Foundation
import Skiathos

func inAnError(_ dal: DataAccessLayer) async throws {
    try await dal.write { context in
        let user = try User.create(in: context)
        throw NSError(domain: "Example", code: 1, userInfo: ["user": user])
    }
}

func inTheDictionaryOfAThread(_ dal: DataAccessLayer) throws {
    try dal.write { context in
        Thread.current.threadDictionary["user"] = try User.create(in: context)
    }
}

func inANotification(_ dal: DataAccessLayer) async throws {
    try await dal.write { context in
        let user = try User.create(in: context)
        NotificationCenter.default.post(name: Notification.Name("created"), object: user)
    }
}

func inASequence(_ dal: DataAccessLayer) async throws {
    let names = try await dal.write { context in
        let user = try User.create(in: context)
        return sequence(state: 0, next: { _ in user.name })
    }
    print(names)
}
