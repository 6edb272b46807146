import PersistenceService
import SkiathosStore
import SkiathosTesting
import Testing

@Suite struct ConflictTests {
    /// A service that has changed an age to 2, where an outsider has made it 3.
    private func withConflict(
        _ body: @Sendable (StorePersistenceService, DataAccessLayer, Author.ID) async throws -> Void
    ) async throws {
        try await withService { service, dal in
            let ada = try await dal.addAuthor("Ada", age: 1)
            try await service.change(ada) { $0.age = 2 }
            try await dal.write { try Author.find(ada, in: $0)?.age = 3 }
            try await body(service, dal, ada)
        }
    }

    @Test(
        arguments: [
            .text("4"), .real(4), .real(.nan), .blob([4]), .null, .integer(4),
        ] as [StoreValue])
    func `a value of a policy is stored as it is, or refused with what was expected`(
        _ value: StoreValue
    ) async throws {
        try await withConflict { service, dal, ada in
            let policy = MergePolicy.resolving { _ in .value(value) }
            guard value != .integer(4) else {
                try await service.save(.store, merging: policy)
                #expect(try await dal.author(ada)?.age == 4)
                return
            }
            let error = await #expect(throws: PersistenceServiceError.self) {
                try await service.save(.store, merging: policy)
            }
            #expect(error?.code == .invalidResolution)
            #expect(error?.message.contains("Author.age, which holds integer") == true)
            #expect(error?.conflicts.map(\.column) == ["age"])
            #expect(try await dal.author(ada)?.age == 3)
        }
    }

    @Test(arguments: [.integer(1), .text("b"), .null, .text("a\0b")] as [StoreValue])
    func `a policy may give an optional column a text or nothing`(_ value: StoreValue) async throws
    {
        try await withService { service, dal in
            let ada = try await dal.addAuthor("Ada", age: 1)
            try await service.change(ada) { $0.email = "mine" }
            try await dal.write { try Author.find(ada, in: $0)?.email = "theirs" }
            let policy = MergePolicy.resolving { _ in .value(value) }
            let isTaken = value == .null || value == .text("b")
            do {
                try await service.save(.store, merging: policy)
                #expect(isTaken)
            } catch let error as PersistenceServiceError {
                #expect(!isTaken && error.code == .invalidResolution)
            }
            let email = try await dal.author(ada)?.email
            #expect(email == (isTaken ? (value == .null ? nil : "b") : "theirs"))
        }
    }

    @Test func `changes of different columns are merged`() async throws {
        try await withService { service, dal in
            let ada = try await dal.addAuthor("Ada", age: 1)
            try await service.change(ada) { $0.age = 2 }
            try await dal.write { try Author.find(ada, in: $0)?.name = "Adele" }
            #expect(try await service.author(ada)?.name == "Adele")
            // Seeing it does not make it a change of this service.
            try await service.change(ada) { $0.email = "a" }
            try await dal.write { try Author.find(ada, in: $0)?.name = "Ada L." }
            try await service.save()
            let merged = try await dal.author(ada)
            #expect(merged?.name == "Ada L.")
            #expect(merged?.age == 2)
            #expect(merged?.email == "a")
        }
    }

    @Test func `the same change on both sides is no conflict`() async throws {
        try await withConflict { service, dal, ada in
            try await service.change(ada) { $0.age = 3 }
            try await service.save()
            #expect(try await dal.author(ada)?.age == 3)
        }
    }

    @Test func `a column with its first value again is no change`() async throws {
        try await withConflict { service, dal, ada in
            try await service.change(ada) { $0.age = 1 }
            #expect(!service.hasPendingChanges)
            #expect(try await service.author(ada)?.age == 3)
        }
    }

    @Test func `a true conflict throws with both values, and none of them in the message`()
        async throws
    {
        try await withConflict { service, dal, ada in
            let other = try await dal.addAuthor("Ben", age: 777)
            try await service.change(other) { $0.age = 888 }
            try await dal.write { try Author.find(other, in: $0)?.age = 999 }
            let error = await #expect(throws: PersistenceServiceError.self) {
                try await service.save()
            }
            #expect(error?.code == .conflict)
            #expect(error?.conflicts.count == 2)
            let conflict = try #require(
                try error?.conflicts.first { try $0.id(of: Author.self) == ada })
            #expect(conflict.kind == .bothChanged)
            #expect(conflict.entity == "Author")
            #expect(conflict.column == "age")
            #expect(conflict.base == .integer(1))
            #expect(conflict.mine == .integer(2))
            #expect(conflict.theirs == .integer(3))
            let values = try conflict.values(of: Author.self)
            #expect(values?.base?.age == 1 && values?.mine?.age == 2 && values?.theirs?.age == 3)
            #expect(try conflict.values(of: Book.self) == nil)
            #expect(try conflict.id(of: Book.self) == nil)
            let description = error.map { "\($0)" } ?? ""
            for value in ["777", "888", "999"] { #expect(!description.contains(value)) }
            // Everything stays pending.
            #expect(try await service.author(ada)?.age == 2)
            #expect(try await dal.author(ada)?.age == 3)
        }
    }

    @Test func `the policy mine keeps the pending value`() async throws {
        try await withConflict { service, dal, ada in
            try await service.save(.store, merging: .mine)
            #expect(try await dal.author(ada)?.age == 2)
        }
    }

    @Test func `the policy theirs keeps the stored value`() async throws {
        try await withConflict { service, dal, ada in
            try await service.save(.store, merging: .theirs)
            #expect(try await dal.author(ada)?.age == 3)
            #expect(!service.hasPendingChanges)
        }
    }

    @Test func `a closure decides each conflict, or leaves it`() async throws {
        try await withConflict { service, dal, ada in
            await #expect(throws: PersistenceServiceError.self) {
                try await service.save(.store, merging: .resolving { _ in nil })
            }
            await #expect(throws: Refused.self) {
                try await service.save(.store, merging: .resolving { _ in throw Refused() })
            }
            try await service.save(
                .store,
                merging: .resolving { conflict in
                    guard case .integer(let mine)? = conflict.mine,
                        case .integer(let theirs)? = conflict.theirs
                    else { return nil }
                    return .value(.integer(mine + theirs))
                })
            #expect(try await dal.author(ada)?.age == 5)
        }
    }

    @Test func `an update that saves follows its policy`() async throws {
        try await withConflict { service, dal, ada in
            await #expect(throws: PersistenceServiceError.self) {
                try await service.change(ada, .store) { $0.name = "A" }
            }
            #expect(try await service.author(ada)?.name == "Ada")
            try await service.change(ada, .store, merging: .mine) { $0.name = "A" }
            #expect(try await dal.author(ada)?.name == "A")
            #expect(try await dal.author(ada)?.age == 2)
        }
    }

    @Test func `a row that was changed here and deleted there is a conflict`() async throws {
        for policy in ["throwing", "mine", "theirs", "value"] {
            try await withService { service, dal in
                let ada = try await dal.addAuthor("Ada", age: 1)
                try await service.change(ada) { $0.age = 2 }
                try await dal.write { try Author.deleteAll(in: $0) }
                #expect(try await service.author(ada) == nil)
                switch policy {
                case "mine":
                    try await service.save(.store, merging: .mine)
                    #expect(try await dal.author(ada)?.age == 2)
                    #expect(try await dal.author(ada)?.name == "Ada")
                case "theirs":
                    try await service.save(.store, merging: .theirs)
                    #expect(try await dal.author(ada) == nil)
                case "value":
                    let error = await #expect(throws: PersistenceServiceError.self) {
                        try await service.save(.store, merging: .resolving { _ in .value(.null) })
                    }
                    #expect(error?.code == .invalidResolution)
                default:
                    let error = await #expect(throws: PersistenceServiceError.self) {
                        try await service.save()
                    }
                    #expect(error?.conflicts.map(\.kind) == [.deletedThere])
                    #expect(error?.conflicts.first?.column == nil)
                    let values = try error?.conflicts.first?.values(of: Author.self)
                    #expect(values?.mine?.age == 2 && values?.theirs == nil)
                }
            }
        }
    }

    @Test func `a row that was deleted here and changed there is a conflict`() async throws {
        for policy in ["throwing", "mine", "theirs"] {
            try await withService { service, dal in
                let ada = try await dal.addAuthor("Ada", age: 1)
                try await service.delete(Author.self, ids: [ada], saving: .keep)
                try await dal.write { try Author.find(ada, in: $0)?.age = 2 }
                #expect(try await service.author(ada) == nil)
                switch policy {
                case "mine":
                    try await service.save(.store, merging: .mine)
                    #expect(try await dal.author(ada) == nil)
                case "theirs":
                    try await service.save(.store, merging: .theirs)
                    #expect(try await dal.author(ada)?.age == 2)
                default:
                    let error = await #expect(throws: PersistenceServiceError.self) {
                        try await service.save()
                    }
                    #expect(error?.conflicts.map(\.kind) == [.deletedHere])
                }
            }
        }
    }

    @Test func `a row that both sides have deleted is no conflict`() async throws {
        try await withService { service, dal in
            let ada = try await dal.addAuthor("Ada")
            try await service.delete(Author.self, ids: [ada], saving: .keep)
            try await dal.write { try Author.deleteAll(in: $0) }
            try await service.save()
            #expect(!service.hasPendingChanges)
        }
    }

    @Test func `a child can conflict with its parent`() async throws {
        try await withService { parent, dal in
            let ada = try await dal.addAuthor("Ada", age: 1)
            let child = parent.child()
            try await child.change(ada) { $0.age = 2 }
            try await parent.change(ada) {
                $0.age = 3
                $0.name = "Adele"
            }
            let seen = try await child.author(ada)
            #expect(seen?.age == 2 && seen?.name == "Adele")
            let error = await #expect(throws: PersistenceServiceError.self) {
                try await child.save(.parent)
            }
            #expect(error?.conflicts.map(\.theirs) == [.integer(3)])
            try await child.save(.parent, merging: .mine)
            #expect(try await parent.author(ada)?.age == 2)
            #expect(try await dal.author(ada)?.age == 1)
        }
    }

    @Test func `JSON is compared as it is stored`() async throws {
        try await withService { service, dal in
            let ada = try await dal.addAuthor("Ada")
            let address = Author.Address(city: "Athens", lines: ["1"])
            try await service.change(ada) { $0.address = address }
            try await dal.write { try Author.find(ada, in: $0)?.address = address }
            try await service.save()
            try await service.change(ada) { $0.address.city = "Volos" }
            try await dal.write { try Author.find(ada, in: $0)?.address.lines = [] }
            let error = await #expect(throws: PersistenceServiceError.self) {
                try await service.save()
            }
            #expect(error?.conflicts.map(\.column) == ["address"])
        }
    }

    @Test func `a unique value that another row has is an ordinary error of the store`()
        async throws
    {
        try await withService { service, dal in
            let tag = try await service.create(Tag(id: "a"), saving: .keep)
            try await dal.write { try Tag.create(id: "a", in: $0) { $0.label = "theirs" } }
            await #expect {
                try await service.save()
            } throws: {
                ($0 as? StoreError)?.code == .uniqueViolation
            }
            try await service.rollBack()
            #expect(
                try await service.fetch(Tag.self, ids: [tag.id]).found.map(\.label) == ["theirs"])
        }
    }

    @Test func `texts that only look the same are different values`() async throws {
        try await withService { service, dal in
            let ada = try await dal.addAuthor("e\u{301}")
            try await service.change(ada) { $0.name = "\u{e9}" }
            #expect(service.hasPendingChanges)
            try await dal.write { try Author.find(ada, in: $0)?.name = "e" }
            await #expect(throws: PersistenceServiceError.self) { try await service.save() }
        }
    }
}
