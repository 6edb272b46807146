#if Macros
import Skiathos

/// The tour of the README: makes a store, writes, queries, changes, fails, and looks at the result.
@main
struct QuickStart {
    static func main() async throws {
        let dal = try await DataAccessLayer.open(
            .inMemory, entities: Company.self, User.self)

        // Writes give objects, whose changes are stored when the closure ends.
        let ada = try await dal.write { context in
            let company = try Company.create(in: context) { $0.name = "Analytical Engines" }
            let ada = try User.create(in: context) { user in
                user.firstname = "Ada"
                user.lastname = "Byron"
                user.email = "ada@example.org"
                user.age = 36
                user.company = company.id
            }
            try User.create(in: context) { user in
                user.firstname = "Charles"
                user.age = 79
            }
            return ada.id
        }

        // A chain hands each step's value to the next.
        let name = try await dal.write { context in
            try User.find(ada, in: context)?.lastname = "Lovelace"
            return ada
        }
        .read { context, id in try User.find(id, in: context)?.fullName }
        print("renamed: \(name ?? "none")")

        // Reads give values, which may go anywhere.
        let adults: [User] = try await dal.read { context in
            try User.all(
                where: { $0.age >= 18 && $0.firstname != "Nobody" },
                orderedBy: { [$0.age.descending] }, limit: 50, in: context)
        }
        print("adults: \(adults.map(\.firstname))")

        // A write that fails changes nothing.
        do {
            try await dal.write { context in
                try User.deleteAll(in: context)
                try Company.create(in: context) { $0.name = "Analytical Engines" }
            }
        } catch let error as StoreError where error.code == .uniqueViolation {
            print("refused: \(error.entity ?? "").\(error.columns.joined(separator: ", "))")
        }
        print("users left: \(try await dal.read { try User.count(in: $0) })")

        try await dal.close()
    }
}
#else
@main
struct QuickStart {
    static func main() {
        print("QuickStart uses @Entity, so it needs the trait Macros, which is on by default.")
    }
}
#endif
