#if Macros
import Skiathos

@Entity struct User {
    var firstname = ""
    @Indexed var age = 0
}

@main struct FirstSteps {
    static func main() async throws {
        let dal = try await DataAccessLayer.open(.sqlite("app.sqlite"), entities: User.self)
        let ada = try await dal.write { try User.create(in: $0) { $0.firstname = "Ada" }.id }
        try await dal.write { try User.find(ada, in: $0)?.age = 36 }  // UPDATE "user" SET "age" = …
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
