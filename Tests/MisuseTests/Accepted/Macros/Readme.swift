// The first page of the documentation.

import Skiathos

@Entity struct User {
    var firstname = ""
    @Unique var email: String?
    @Indexed var age = 0
}

func tour() async throws {
    let dal = try await DataAccessLayer.open(.sqlite("app.sqlite"), entities: User.self)
    let ada = try await dal.write { try User.create(in: $0) { $0.firstname = "Ada" }.id }
    try await dal.write { try User.find(ada, in: $0)?.age += 1 }
    let adults: [User] = try await dal.read { try User.all(where: { $0.age >= 18 }, in: $0) }
    print(adults.count)
    try await dal.close()
}
