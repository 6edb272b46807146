#if Macros
package import PersistenceService
package import ServiceLocator

/// The one place where the application is put together; all other code gets its dependencies.
package enum Composition {
    /// Registers the services; each is made with its first resolve.
    package static func register(in locator: ServiceLocator, store: StoreSource) throws {
        try locator.register((any Almanac).self, .instance(SystemAlmanac()))
        try locator.register(
            DataAccessLayer.self,
            .asynchronous(onClose: { try await $0.close() }) { _ in
                try await DataAccessLayer.open(store, entities: Site.self, Sighting.self)
            })
        try locator.register(
            (any PersistenceService).self,
            .asynchronous { StorePersistenceService(try await $0.resolve(DataAccessLayer.self)) })
        try locator.register(
            (any Journal).self,
            .asynchronous {
                FieldJournal(
                    persistence: try await $0.resolve(), almanac: try await $0.resolve())
            })
    }

    /// Runs a closure with the services, and ends them after it in the right order.
    package static func run<Result: Sendable>(
        _ store: StoreSource, _ body: (ServiceLocator) async throws -> Result
    ) async throws -> Result {
        let locator = ServiceLocator(named: "FieldNotes")
        try register(in: locator, store: store)
        do {
            let result = try await body(locator)
            try await locator.close()
            return result
        } catch {
            // What went wrong first is what the user wants to know.
            try? await locator.close()
            throw error
        }
    }
}
#endif
