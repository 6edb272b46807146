// Every query, in a read, in a write, and in whichever of the two.

import Skiathos

func inRead(_ dal: DataAccessLayer, _ id: User.ID) throws {
    try dal.read { context in
        let all: [User] = try User.all(in: context)
        let some = try User.all(
            where: { $0.age >= 18 }, orderedBy: { [$0.name.ascending, $0.age.descending] },
            limit: 50, offset: 10, in: context)
        let first: User? = try User.first(orderedBy: { [$0.age.descending] }, in: context)
        let found = try User.find(id, in: context)
        let literal = try User.find(42, in: context)
        let text = try Company.find("acme", in: context)
        let several = try User.find([1, id, 3], in: context)
        print(all, some, first?.name ?? "", found?.greeting ?? "", literal == nil, text == nil)
        print(several.found.map(\.name), several.missing)
        try count(in: context)
    }
}

func inWrite(_ dal: DataAccessLayer, _ id: User.ID) throws {
    try dal.write { context in
        let all: [Managed<User>] = try User.all(in: context)
        let some = try User.all(
            where: { $0.age >= 18 }, orderedBy: { [$0.name.ascending] }, limit: 50, in: context)
        let first: Managed<User>? = try User.first(where: { $0.age == 1 }, in: context)
        let found = try User.find(id, in: context)
        let several = try User.find([1, id, 3], in: context)
        print(all.map(\.name), some.map(\.age), first?.name ?? "", found?.greeting ?? "")
        for user in several.found { user.age += several.missing.count }
        try count(in: context)
    }
}

func count(in context: some QueryContext) throws {
    let count = try User.count(in: context)
    let adults = try User.count(where: { $0.age >= 18 }, in: context)
    let exists = try User.exists(in: context)
    let known = try User.exists(where: { $0.email == "ada@example.org" }, in: context)
    let ids: [User.ID] = try User.ids(in: context)
    let youngest = try User.ids(
        where: { $0.age > 0 }, orderedBy: { [$0.age.ascending] }, limit: 1, offset: 1, in: context)
    print(count, adults, exists, known, ids, youngest)
}

func references(_ dal: DataAccessLayer, _ user: User) throws -> [User] {
    try dal.read { context in
        guard let id = user.company, let company = try Company.find(id, in: context) else {
            return []
        }
        return try User.all(where: { $0.company == company.id }, in: context)
    }
}
