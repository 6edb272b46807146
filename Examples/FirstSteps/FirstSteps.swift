#if Macros
import Skiathos

@Entity struct User {
    var firstname = ""
    @Unique var email: String?
    @Indexed var age = 0
}

@main struct FirstSteps {
    static func main() async throws {
        let dal = try await DataAccessLayer.open(.sqlite("app.sqlite"), entities: User.self)
        let ada = try await dal.write { try User.create(in: $0) { $0.firstname = "Ada" }.id }
        // UPDATE "user" SET "age" = 36 WHERE "id" = 1
        try await dal.write { try User.find(ada, in: $0)?.age = 36 }
        let adults: [User] = try await dal.read { try User.all(where: { $0.age >= 18 }, in: $0) }
        print(adults.map(\.firstname))  // ["Ada"]
        try await dal.close()
    }
}
#else
@main struct FirstSteps {
    static func main() {
        print("FirstSteps uses @Entity, so it needs the trait Macros, which is on by default.")
    }
}
#endif
