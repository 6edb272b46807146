import Skiathos
import Testing

/// What older object stores got wrong about writing and finding.
struct WritingRegressionTests {
    private struct Refused: Error {}

    /// Once: the bad objects stayed in a shared worker and failed the next write.
    @Test(arguments: Place.allCases)
    func `a failed write leaves nothing behind for the next`(_ place: Place) async throws {
        try await withStore(place) { dal in
            let id = try await dal.write { try User.create(in: $0) { $0.email = "taken" }.id }
            for _ in 0..<3 {
                let error = await #expect(throws: StoreError.self) {
                    try await dal.write { context in
                        try User.find(id, in: context)?.firstname = "bad"
                        try User.create(in: context) {
                            $0.age = 1
                            $0.email = "taken"
                        }
                    }
                }
                #expect(error?.code == .uniqueViolation)
                try await dal.write { context in
                    let user = try User.find(id, in: context)
                    #expect(user?.firstname == "")
                    user?.score += 1
                }
            }
            let users: [User] = try await dal.read { try User.all(in: $0) }
            #expect(users == [User(id: id, email: "taken", score: 3)])
        }
    }

    /// Once: asking another context for an object that was already saved gave nil.
    @Test(arguments: Place.allCases)
    func `a saved value is found again in every later write`(_ place: Place) async throws {
        try await withStore(place) { dal in
            let created: User = try await dal.write { context in
                let object = try User.create(in: context) { $0.firstname = "Ada" }
                #expect(try object.value.managed(in: context) === object)
                return object.value
            }
            for age in 1...3 {
                let read: User? = try await dal.read { try User.find(created.id, in: $0) }
                try await dal.write { context in
                    let object = try created.managed(in: context)
                    #expect(try read?.managed(in: context) === object)
                    #expect(object.age == age - 1)
                    object.age = age
                }
            }
            try await dal.write { try created.managed(in: $0).delete() }
            let error = await #expect(throws: DataAccessError.self) {
                try await dal.write { context in _ = try created.managed(in: context) }
            }
            #expect(error?.code == .notFound)
        }
    }

    /// Once: after a wipe a worker still pointed at the old main context.
    @Test(arguments: Place.allCases)
    func `a store works after a reset, and nothing old comes back`(
        _ place: Place
    ) async throws {
        try await withStore(place) { dal in
            let old: User = try await dal.write { context in
                let company = try Company.create(in: context) { $0.name = "old" }
                return try User.create(in: context) { $0.company = company.id }.value
            }
            dal.enqueue { try User.create(in: $0) { $0.age = 1 } }
            try await dal.reset().read { context in
                let users = try User.count(in: context)
                let companies = try Company.count(in: context)
                #expect(users == 0)
                #expect(companies == 0)
            }
            let error = await #expect(throws: DataAccessError.self) {
                try await dal.write { context in _ = try old.managed(in: context) }
            }
            #expect(error?.code == .notFound)
            let new = try await dal.write { try User.create(in: $0).id }
            #expect(new.rawValue > old.id.rawValue + 1)
            let ids: [User.ID] = try await dal.read { try User.ids(in: $0) }
            #expect(ids == [new])
        }
    }

    /// Once: helpers told every stack of the process about an error, or gave an empty list.
    @Test func `a failing query throws to its caller alone`() async throws {
        let reports = Log<BackgroundFailure>()
        var configuration = Configuration()
        configuration.errorHandler = { reports.note($0) }
        try await withStore(configuration: configuration) { [configuration] first in
            try await withStore(.memory, configuration: configuration) { second in
                for dal in [first, second] {
                    let error = await #expect(throws: StoreError.self) {
                        let users: [User] = try await dal.read {
                            try User.all(where: { $0.score == .nan }, in: $0)
                        }
                        _ = users
                    }
                    #expect(error?.code == .invalidValue)
                }
                try await second.write { try User.create(in: $0) }
            }
        }
        #expect(reports.entries.isEmpty)
    }

    /// Once: two workers that looked for a row and made it where there was none made two.
    @Test(arguments: Place.allCases)
    func `find-or-create by many at once makes one row`(_ place: Place) async throws {
        try await withStore(place) { dal in
            let ids = try await withThrowingTaskGroup(of: [EntityID<User>].self) { group in
                for number in 0..<25 {
                    group.addTask {
                        try await dal.write { context in
                            let name = "number \(number % 2)"
                            let known = try User.first(
                                where: { $0.firstname == name }, in: context)
                            let user = try known ?? User.create(in: context) { $0.firstname = name }
                            let value = User(firstname: "upserted", email: "a@b.c", age: number)
                            return [user.id, try User.upsert(value, by: \.email, in: context).id]
                        }
                    }
                }
                return try await group.reduce(into: Set()) { $0.formUnion($1) }
            }
            let count: Int = try await dal.read { try User.count(in: $0) }
            #expect(count == 3)
            #expect(ids.count == 3)
        }
    }

    /// Once: a source value that a transform refused rolled back unrelated pending work.
    @Test(arguments: Place.allCases)
    func `a refused element rolls back its own work only`(_ place: Place) async throws {
        try await withStore(place) { dal in
            let refused: [Int] = try await dal.write { context in
                let company = try Company.create(in: context) { $0.name = "kept" }
                var refused: [Int] = []
                for age in 0..<6 {
                    do {
                        try context.nested { inner in
                            let user = try User.create(in: inner) { $0.age = age }
                            user.company = company.id
                            company.name += "!"
                            if age.isMultiple(of: 3) { throw Refused() }
                        }
                    } catch is Refused {
                        refused.append(age)
                    }
                }
                return refused
            }
            #expect(refused == [0, 3])
            let ages: [Int] = try await dal.read {
                try User.all(orderedBy: { [$0.age.ascending] }, in: $0).map(\.age)
            }
            #expect(ages == [1, 2, 4, 5])
            let names: [String] = try await dal.read { try Company.all(in: $0).map(\.name) }
            #expect(names == ["kept!!!!"])
        }
    }

    /// Once: the closure ran on a partial list.
    @Test(arguments: Place.allCases)
    func `a search by IDs says which are missing`(_ place: Place) async throws {
        try await withStore(place) { dal in
            let ids: [User.ID] = try await dal.write { context in
                try (1...3).map { age in try User.create(in: context) { $0.age = age }.id }
            }
            let wanted = [ids[2], 77, ids[0], ids[2], 99]
            let values = try await dal.read { try User.find(wanted, in: $0) }
            #expect(values.found.map(\.age) == [3, 1, 3])
            #expect(values.missing == [77, 99])
            try await dal.write { context in
                try User.find(ids[0], in: context)?.delete()
                let objects = try User.find(wanted, in: context)
                #expect(objects.found.map(\.age) == [3, 3])
                #expect(objects.found[0] === objects.found[1])
                #expect(objects.missing == [77, ids[0], 99])
            }
        }
    }

    /// Once: an error of saving what a search by IDs had given for updating was lost.
    @Test(arguments: Place.allCases)
    func `an error of changing what was found by IDs reaches the caller`(
        _ place: Place
    ) async throws {
        try await withStore(place) { dal in
            let ids: [User.ID] = try await dal.write { context in
                try (1...2).map { age in
                    try User.create(in: context) {
                        $0.age = age
                        $0.email = "\(age)"
                    }.id
                }
            }
            let error = await #expect(throws: StoreError.self) {
                try await dal.write { context in
                    for user in try User.find(ids, in: context).found { user.email = "the same" }
                }
            }
            #expect(error?.code == .uniqueViolation)
            #expect(error?.entity == "user")
            #expect(error?.columns == ["email"])
            let emails: Set<String?> = try await dal.read {
                Set(try User.all(in: $0).map(\.email))
            }
            #expect(emails == ["1", "2"])
        }
    }
}
