import Skiathos
import TestSupport
import Testing

@Suite(.generousTimeLimit) struct OpeningTests {
    @Test func `the blocking initialiser takes listed and computed entities`() async throws {
        let store = try TemporaryStore()
        let computed: [any Entity.Type] = [Company.self] + [User.self].map { $0 }
        let company = try await onThread {
            let dal = try DataAccessLayer(.sqlite(store.path), entities: computed)
            let id = try dal.write { context in
                let company = try Company.create(in: context) { $0.name = "Acme" }
                try User.create(in: context) { $0.company = company.id }
                return company.id
            }
            try dal.close()
            return id
        }
        try await onThread {
            let dal = try DataAccessLayer(
                .sqlite(store.path), entities: Company.self, User.self)
            let found: Company.ID? = try dal.read { try User.first(in: $0)?.company }
            #expect(found == company)
            try dal.close()
        }
    }

    @Test func `a computed list that lacks an entity which others refer to is refused`()
        async throws
    {
        let entities: [any Entity.Type] = [User.self]
        let error = await #expect(throws: StoreError.self) {
            _ = try await onThread { try DataAccessLayer(.inMemory, entities: entities) }
        }
        #expect(error?.code == .invalidSchema)
    }

    @Test func `the blocking initialiser uses its configuration with a computed list`()
        async throws
    {
        let error = await #expect(throws: DataAccessError.self) {
            _ = try await onThread {
                var configuration = Configuration()
                configuration.readerCount = 0
                return try DataAccessLayer(
                    .inMemory, entities: [Company.self], configuration: configuration)
            }
        }
        #expect(error?.code == .invalidRequest)
    }
}
