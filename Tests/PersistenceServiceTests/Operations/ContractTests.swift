import PersistenceService
import SkiathosStore
import SkiathosTesting
import TestSupport
import Testing

/// The lines of the contract about the persistence service, each named by its words.
@Suite struct ContractTests {
    @Test(arguments: Place.allCases)
    func `a service creates one row by an initialiser, with a final ID, in both forms`(
        _ place: Place
    ) async throws {
        try await withService(place) { service, dal in
            let ada = try await service.create(Author.self, saving: .keep) { $0.name = "Ada" }
            let ben: Author = try await onThread {
                try service.create(Author.self, saving: .keep) { $0.name = "Ben" }
            }
            let cleo = try await service.create(Author.named("Cleo"), saving: .keep)
            let tag = try await service.create(Tag(id: "new"), saving: .keep)
            #expect(tag.id == "new")
            try await service.save()
            #expect(try await dal.author(ada.id) == ada)
            #expect(try await dal.author(ben.id) == ben)
            #expect(try await dal.author(cleo.id)?.name == "Cleo")
        }
    }

    @Test func `a service creates many rows by a transform, which may refuse one`() async throws {
        try await withService { service, dal in
            let words = AnySequence(["Ada", "", "Ben", "!", "Cleo"])
            let created = try await service.create(Author.self, from: words, saving: .store) {
                if $0 == "!" { throw TransformRefusal("is no name") }
                return $0.isEmpty ? nil : Author.named($0)
            }
            #expect(created.values.map(\.name) == ["Ada", "Ben", "Cleo"])
            #expect(created.values.allSatisfy { $0.id != .unassigned })
            #expect(created.refused.map(\.index) == [1, 3])
            #expect(created.refused.map(\.reason) == [nil, "is no name"])
            #expect(try await dal.names() == ["Ada", "Ben", "Cleo"])
            let again = try await onThread {
                try service.create(Author.self, from: 0..<2, saving: .store) { number in
                    number == 0 ? nil : Author.named("Dora")
                }
            }
            #expect(again.values.count == 1)
        }
    }

    @Test func `a service fetches values by predicate, sort, limit and offset`() async throws {
        try await withService { service, _ in
            try await service.create(Author.self, from: 0..<10, saving: .keep) {
                Author.named("\($0)", age: $0 % 5)
            }
            let parameters = FetchParameters<Author>(
                where: { $0.age >= 2 }, orderedBy: { [$0.age.descending, $0.name.ascending] },
                limit: 3, offset: 1)
            #expect(try await service.fetch(parameters).map(\.name) == ["9", "3", "8"])
            #expect(try await service.count(parameters) == 3)
            #expect(try await service.exists(parameters))
            #expect(try await service.count(Author.self, where: { $0.age == 0 }) == 2)
            #expect(try await service.exists(Author.self, where: { $0.age == 7 }) == false)
            let synchronous = try await onThread {
                (
                    try service.fetch(parameters).count, try service.count(Author.self),
                    try service.exists(Author.self)
                )
            }
            #expect(synchronous == (3, 10, true))
        }
    }

    @Test func `a fetch by IDs reports the missing ones`() async throws {
        try await withService { service, _ in
            let ada = try await service.create(Author.self, saving: .keep)
            let ben = try await service.create(Author.self, saving: .store)
            let found = try await service.fetch(Author.self, ids: [ben.id, 99, ada.id])
            #expect(found.found.map(\.id) == [ben.id, ada.id])
            #expect(found.missing == [99])
            #expect(try await service.fetch(Author.self, allOf: [ada.id]).count == 1)
            await #expect {
                _ = try await service.fetch(Author.self, allOf: [ada.id, 99])
            } throws: { error in
                let error = error as? PersistenceServiceError
                return error?.code == .missingIDs
                    && error?.missingIDs.first as? Author.ID == Author.ID(rawValue: 99)
            }
        }
    }

    @Test func `a fetch transforms rows to other values, with prefetched relationships`()
        async throws
    {
        try await withService { service, _ in
            try await service.change { context in
                let ada = try Author.create(in: context) { $0.name = "Ada" }
                try Book.create(in: context) {
                    $0.title = "Notes"
                    $0.author = ada.id
                }
                return ((), .keep)
            }
            let parameters = FetchParameters<Book>(prefetching: { $0.prefetching(\.author) })
            let lines = try await service.fetch(parameters) { book, context in
                "\(book.title) by \(try book.related(\.author, in: context)?.name ?? "unknown")"
            }
            #expect(lines == ["Notes by Ada"])
        }
    }

    @Test(arguments: SaveDepth.allCases)
    func `an update's closure returns how deep to save`(
        _ depth: SaveDepth
    ) async throws {
        try await withService { parent, dal in
            let ada = try await dal.addAuthor("Ada")
            let service = parent.child()
            try await service.update(Author.self, where: { $0.name == "Ada" }) { authors, _ in
                for author in authors { author.age = 1 }
                return depth
            }
            try await service.update(Author.self, ids: [ada]) { authors, _ in
                for author in authors { author.email = "a" }
                return depth
            }
            #expect(try await service.author(ada)?.age == 1)
            #expect(try await parent.author(ada)?.age == (depth == .keep ? 0 : 1))
            #expect(try await dal.author(ada)?.age == (depth == .store ? 1 : 0))
            #expect(try await dal.author(ada)?.email == (depth == .store ? "a" : nil))
            #expect(service.hasPendingChanges == (depth == .keep))
            #expect(parent.hasPendingChanges == (depth == .parent))
        }
    }

    @Test func `a service deletes by parameters or IDs`() async throws {
        try await withService { service, dal in
            let ids = try await service.create(Author.self, from: 0..<6, saving: .store) {
                Author.named("\($0)", age: $0)
            }.values.map(\.id)
            let parameters = FetchParameters<Author>(where: { $0.age >= 4 })
            #expect(try await service.delete(parameters, saving: .keep) == 2)
            #expect(try await service.count(Author.self) == 4)
            #expect(try await dal.names().count == 6)
            try await service.delete(Author.self, ids: [ids[0], ids[1]], saving: .store)
            #expect(try await dal.names() == ["2", "3"])
            await #expect {
                try await service.delete(Author.self, ids: [ids[2], ids[0]], saving: .store)
            } throws: {
                ($0 as? PersistenceServiceError)?.code == .missingIDs
            }
            #expect(try await dal.names() == ["2", "3"])
            let missing = try await service.delete(
                Author.self, ids: [ids[2], ids[0]], missing: .leftOut, saving: .store)
            #expect(missing == [ids[0]])
            #expect(try await dal.names() == ["3"])
        }
    }

    @Test func `a service saves to a given depth, or rolls back`() async throws {
        try await withService { parent, dal in
            let child = parent.child()
            try await child.create(Author.named("Ada"), saving: .keep)
            try await child.save(.keep)
            #expect(try await parent.names() == [])
            try await child.save(.parent)
            #expect(try await parent.names() == ["Ada"])
            try await child.create(Author.named("Ben"), saving: .keep)
            try await child.rollBack()
            #expect(try await child.names() == ["Ada"])
            try await onThread { try child.save(.store) }
            #expect(try await dal.names() == ["Ada"])
            try await onThread {
                try child.create(Author.named("Cleo"), saving: .keep)
                try child.rollBack()
            }
            #expect(try await child.names() == ["Ada"])
        }
    }

    @Test func `child services nest to any depth`() async throws {
        try await withService { root, dal in
            var services: [any PersistenceService] = [root]
            for level in 1...10 {
                services.append(services[level - 1].makeChild())
                try await services[level].create(Author.named("\(level)"), saving: .keep)
            }
            for level in 1...10 {
                #expect(try await services[level].count(Author.self) == level)
            }
            for level in (1...10).reversed() { try await services[level].save(.parent) }
            #expect(try await root.count(Author.self) == 10)
            #expect(try await dal.names() == [])
            try await root.save(.parent)
            #expect(try await dal.names().count == 10)
        }
    }

    @Test func `changing objects in a read is impossible`() async throws {
        // A query gives values; changing one changes nothing else.
        try await withService { service, dal in
            let ada = try await service.create(Author.named("Ada"), saving: .store)
            var value = try await service.fetch(Author.self)[0]
            value.name = "Eve"
            #expect(try await service.author(ada.id)?.name == "Ada")
        }
    }

    @Test func `a save to the store saves every level`() async throws {
        try await withService { root, dal in
            let child = root.child()
            let grandchild = child.child()
            try await root.create(Author.named("root"), saving: .keep)
            try await child.create(Author.named("child"), saving: .keep)
            try await grandchild.create(Author.named("grandchild"), saving: .store)
            #expect(try await dal.names() == ["child", "grandchild", "root"])
            #expect(!root.hasPendingChanges && !child.hasPendingChanges)
        }
    }
}

extension Author {
    static func named(_ name: String, age: Int = 0, email: String? = nil) -> Author {
        var author = Author(id: .unassigned)
        author.name = name
        author.age = age
        author.email = email
        return author
    }
}
