// The objects of a write are read, changed, gathered and passed on inside of it.

import Skiathos

func properties(_ dal: DataAccessLayer, _ ada: User.ID, _ acme: Company.ID) throws {
    try dal.write { context in
        guard let user = try User.find(ada, in: context) else { return }
        user.name = "Ada"
        user.name.append(" Lovelace")
        user.name += "!"
        user.age += 1
        user.email = nil
        user.email = "ada@example.org"
        user.email?.append(".uk")
        user.company = acme
        increase(&user.age)
        print(user.greeting, user.id, user.value, user.isDeleted, user.changedColumns)
        try user.discardChanges()
        try user.delete()
    }
}

func chaining(_ dal: DataAccessLayer, _ ada: User) throws {
    try dal.write { try User.find(ada.id, in: $0)?.age += 1 }
    try dal.write { try User.find(ada.id, in: $0)?.delete() }
    try dal.write { try ada.managed(in: $0).age = 37 }
    try dal.write { try User.all(in: $0).first?.name = "First" }
    try dal.write { try User.all(where: { $0.age > 99 }, in: $0)[0].age = 99 }
}

func gathering(_ dal: DataAccessLayer) throws {
    try dal.write { context in
        var byName: [String: Managed<User>] = [:]
        var drafts: [Managed<User>] = []
        for user in try User.all(in: context) {
            byName[user.name] = user
            if user.age == 0 { drafts.append(user) }
        }
        drafts.sort { $0.name < $1.name }
        for user in drafts { user.age = 1 }
        byName["Ada"]?.age = 36
        let eldest = byName.values.max { $0.age < $1.age }
        eldest?.name = "Eldest"
        let pair: (Managed<User>?, Int) = (eldest, drafts.count)
        pair.0?.age += pair.1
        print(drafts.first === eldest)
    }
}

func helping(_ dal: DataAccessLayer) throws {
    try dal.write { context in
        let census = Census()
        try rename(in: context, to: "Ada")
        for user in try User.all(in: context) { census.count(user) }
        let make = { (name: String) in try User.create(in: context) { $0.name = name } }
        let charles = try make("Charles")
        charles.age = census.ages.reduce(0, +)
    }
}

/// A plain class may hold objects as long as it stays in the write.
final class Census {
    private(set) var ages: [Int] = []
    private var users: [Managed<User>] = []

    func count(_ user: Managed<User>) {
        ages.append(user.age)
        users.append(user)
    }
}

func rename(in context: WriteContext, to name: String) throws {
    try User.first(in: context)?.name = name
}

func increase(_ number: inout Int) { number += 1 }
