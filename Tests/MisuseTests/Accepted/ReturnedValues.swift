// Everything that is Sendable may leave a read or a write, however it is wrapped.

import Skiathos

enum Outcome: Sendable {
    case found(User), missing(User.ID)
}

func fromReads(_ dal: DataAccessLayer) throws {
    let id = try dal.read { try User.ids(limit: 1, in: $0).first }
    let value: User? = try dal.read { try User.first(in: $0) }
    let array = try dal.read { try User.all(in: $0).map(\.name) }
    let tuple: (User?, Int) = try dal.read {
        (try User.first(in: $0), try Company.count(in: $0))
    }
    let found = try dal.read { try User.find([1, 2], in: $0) }
    let byID = try dal.read { context in
        Dictionary(uniqueKeysWithValues: try User.all(in: context).map { ($0.id, $0) })
    }
    let names: Set<String> = try dal.read { Set(try User.all(in: $0).map(\.name)) }
    let result: Result<User?, any Error> = try dal.read { context in
        Result { try User.first(in: context) }
    }
    let outcome: Outcome = try dal.read { context in
        guard let user = try User.find(1, in: context) else { return .missing(1) }
        return .found(user)
    }
    let erased: any Sendable = try dal.read { try User.count(in: $0) }
    let greet: @Sendable () -> String = try dal.read { context in
        let greeting = try User.first(in: context)?.greeting ?? "Hello"
        return { greeting }
    }
    print(id as Any, value as Any, array, tuple, found.found, found.missing, byID, names)
    print(result, outcome, erased, greet())
}

func fromWrites(_ dal: DataAccessLayer) throws {
    let id = try dal.write { try User.create(in: $0).id }
    let value = try dal.write { try User.create(in: $0).value }
    let optional: User? = try dal.write { try User.find(id, in: $0)?.value }
    let array = try dal.write { try User.all(in: $0).map(\.value) }
    let tuple = try dal.write { context in
        let user = try User.create(in: context)
        return (id: user.id, name: user.name)
    }
    let result: Result<User.ID, any Error> = try dal.write { context in
        Result { try User.create(in: context).id }
    }
    let count: Int = try dal.write { context in
        let users = try User.all(in: context)
        return users.filter(\.isDeleted).count
    }
    print(value, optional as Any, array, tuple.id, tuple.name, result, count)
}
