import Skiathos
import Testing

/// Values that cannot be stored, and IDs that cannot be used.
struct ValueFailureTests {
    @Test(arguments: Place.allCases)
    func `a value that cannot be stored names entity and column and is not shown`(
        _ place: Place
    ) async throws {
        try await withStore(place) { dal in
            let id = try await dal.write { try User.create(in: $0) { $0.age = 1 }.id }
            let writes: [(String, @Sendable (Managed<User>) -> Void)] = [
                ("firstname", { $0.firstname = "secret\0" }),
                ("email", { $0.email = "\0secret" }),
                ("score", { $0.score = .nan }),
                ("score", { $0.score = .signalingNaN }),
            ]
            for (column, change) in writes {
                let error = await #expect(throws: StoreError.self) {
                    try await dal.write { context in
                        let user = try User.find(id, in: context)
                        user?.age = 2
                        if let user { change(user) }
                    }
                }
                #expect(error?.code == .invalidValue)
                #expect(error?.entity == "user")
                #expect(error?.columns == [column])
                #expect("\(error.map(String.init(describing:)) ?? "")".contains("secret") == false)
            }
            let age: Int? = try await dal.read { try User.find(id, in: $0)?.age }
            #expect(age == 1)
        }
    }

    @Test(arguments: Place.allCases)
    func `the ends of every range are stored as they are`(_ place: Place) async throws {
        try await withStore(place) { dal in
            let users = [
                User(firstname: "", age: .max, score: .infinity),
                User(firstname: "\u{10FFFF}\u{301}", age: .min, score: -.infinity),
                User(firstname: "e\u{301}", age: 0, score: -0.5),
                User(firstname: "\u{e9}", age: -1, score: .leastNonzeroMagnitude),
            ]
            let ids = try await dal.write { context in
                try users.map { try User.insert($0, in: context).id }
            }
            for (id, user) in zip(ids, users) {
                let found: User? = try await dal.read { try User.find(id, in: $0) }
                #expect(found?.age == user.age)
                #expect(found?.score.bitPattern == user.score.bitPattern)
                #expect(
                    found?.firstname.unicodeScalars.elementsEqual(user.firstname.unicodeScalars)
                        == true)
            }
        }
    }

    @Test func `a value of a hundred megabytes is stored and found`() async throws {
        try await withStore { dal in
            let text = String(repeating: "0123456789", count: 10 << 20)
            let id = try await dal.write { context in
                try User.create(in: context) { $0.firstname = text }.id
            }
            let found: User? = try await dal.read { try User.find(id, in: $0) }
            // Comparing first keeps the text out of a failure's message.
            #expect((found?.firstname == text) == true)
        }
    }

    @Test(arguments: Place.allCases)
    func `an ID that cannot be used is refused`(_ place: Place) async throws {
        try await withStore(place) { dal in
            let writes: [(DataAccessError.Code, @Sendable (WriteContext) throws -> Void)] = [
                (.invalidID, { try Country.create(id: "", in: $0) }),
                (.invalidID, { try Country.insert(Country(name: "x"), in: $0) }),
                (.invalidID, { try User.create(id: .unassigned, in: $0) }),
                (.invalidID, { try User.create(in: $0) { $0.id = 7 } }),
                (.invalidID, { try User.create(in: $0).id(becomes: 7) }),
                (.notFound, { _ = try User(id: 99).managed(in: $0) }),
                (.notFound, { _ = try User().managed(in: $0) }),
            ]
            for (number, (code, write)) in writes.enumerated() {
                let error = await #expect(throws: DataAccessError.self, "write \(number)") {
                    try await dal.write(write)
                }
                #expect(error?.code == code, "write \(number)")
            }
            let found: User? = try await dal.read { try User.find(99, in: $0) }
            #expect(found == nil)
        }
    }

    @Test(arguments: Place.allCases)
    func `no integer ID follows the last one, and others still can be chosen`(
        _ place: Place
    ) async throws {
        try await withStore(place) { dal in
            try await dal.write { try Company.create(id: .init(rawValue: .max), in: $0) }
            let error = await #expect(throws: DataAccessError.self) {
                try await dal.write { try Company.create(in: $0) { $0.name = "one more" } }
            }
            #expect(error?.code == .idsExhausted)
            try await dal.write { try Company.create(id: -5, in: $0) { $0.name = "below" } }
            let ids: [Company.ID] = try await dal.read {
                try Company.ids(orderedBy: { [$0.id.ascending] }, in: $0)
            }
            #expect(ids.map(\.rawValue) == [-5, .max])
        }
    }

    @Test(arguments: Place.allCases)
    func `violated constraints name the entity and the columns`(_ place: Place) async throws {
        try await withStore(place) { dal in
            let company = try await dal.write { context in
                let company = try Company.create(in: context) { $0.name = "Acme" }
                try User.create(in: context) { $0.company = company.id }
                try Country.create(id: "GR", in: context)
                return company.id
            }
            let writes:
                [(StoreError.Code, String, [String], @Sendable (WriteContext) throws -> Void)] = [
                    (
                        .uniqueViolation, "company", ["name"],
                        { try Company.create(in: $0) { $0.name = "Acme" } }
                    ),
                    (
                        .uniqueViolation, "user", ["firstname", "lastname", "age"],
                        { try User.create(in: $0) }
                    ),
                    (.uniqueViolation, "country", ["id"], { try Country.create(id: "GR", in: $0) }),
                    (
                        .uniqueViolation, "company", ["id"],
                        { try Company.create(id: company, in: $0) { $0.name = "B" } }
                    ),
                    (
                        .foreignKeyViolation, "user", ["company"],
                        { context in
                            for user in try User.all(in: context) { user.company = 99 }
                        }
                    ),
                ]
            for (code, entity, columns, write) in writes {
                let error = await #expect(throws: StoreError.self) { try await dal.write(write) }
                #expect(error?.code == code)
                #expect(error?.entity == entity)
                #expect(error?.columns == columns)
                #expect(error?.message.contains("Acme") == false)
            }
        }
    }

    @Test func `a request out of range is refused`() async throws {
        try await withStore { dal in
            let reads: [@Sendable (ReadContext) throws -> Void] = [
                { _ = try User.all(limit: -1, in: $0) as [User] },
                { _ = try User.ids(offset: -1, in: $0) },
            ]
            for read in reads {
                let error = await #expect(throws: DataAccessError.self) { try await dal.read(read) }
                #expect(error?.code == .invalidRequest)
            }
        }
    }
}

extension Managed<User> {
    /// What only code that goes around the types can do.
    fileprivate func id(becomes id: User.ID) throws {
        let keyPath: WritableKeyPath<User, User.ID> = \.id
        self[dynamicMember: keyPath] = id
    }
}
