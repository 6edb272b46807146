// Every way in which a write changes rows.

import Skiathos

struct BookingRefused: Error {
    var reason: String
}

func one(_ dal: DataAccessLayer) throws {
    try dal.write { context in
        try User.create(in: context)
        let ada = try User.create(in: context) { $0.name = "Ada" }
        try User.create(in: context) { user in
            user.name = "Charles"
            user.company = "acme"
        }
        try User.create(id: 42, in: context) { $0.age = 42 }
        try Company.create(id: "acme", in: context) { $0.name = "Acme" }
        try User.insert(User(name: "Grace"), in: context)
        let inserted = try User.insert(User(id: 7, name: "Alan"), in: context)
        inserted.age = ada.age
        try User.upsert(User(name: "Ada", email: "ada@example.org"), by: \.email, in: context)
        try User.upsert(User(id: 7, name: "Alan"), in: context)
        try User.upsert(User(name: "Edsger"), by: \.email, \.name, in: context).age = 1
    }
}

func many(_ dal: DataAccessLayer) throws {
    try dal.write { context in
        try User.update(set: { [$0.age.set(to: 1)] }, in: context)
        let count = try User.update(
            where: { $0.age >= 65 && $0.company != nil },
            set: {
                [
                    $0.name.set(to: "Senior"), $0.email.set(to: nil), $0.age.add(-1),
                    $0.company.set(to: "acme"),
                ]
            }, in: context)
        try User.deleteAll(in: context)
        let deleted = try User.deleteAll(where: { $0.age > 99 || $0.name == "" }, in: context)
        print(count, deleted)
    }
}

func nested(_ dal: DataAccessLayer) throws {
    try dal.write { context in
        let user = try User.create(in: context)
        do {
            try context.nested { try User.deleteAll(in: $0) }
            try context.nested { inner in
                user.age = 1
                throw BookingRefused(reason: "\(try User.count(in: inner)) are too many")
            }
        } catch let error as BookingRefused {
            user.name = error.reason
        }
        let object = try context.nested { try User.create(in: $0) }
        object.name = try context.nested { outer in try outer.nested { _ in "inside" } }
    }
}

func failing(_ dal: DataAccessLayer) async {
    do {
        try await dal.write { try Company.create(id: "acme", in: $0) }
    } catch let error as StoreError where error.code == .uniqueViolation {
        print(error.entity ?? "", error.columns)
    } catch let error as DataAccessError where error.code == .closed {
        print(error.message, error.place)
    } catch is CancellationError {
        print("cancelled")
    } catch {
        print(error)
    }
}
