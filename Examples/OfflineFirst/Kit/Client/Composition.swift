#if Macros && Requests
import DataRequestCore
import DataRequestPersistence
import DataRequestService
import Foundation
import Logging
import PersistenceService
import ServiceLifecycle
import ServiceLocator
import ServiceLocatorLifecycle
import Skiathos
import SkiathosLifecycle

/// The one place where the client is put together; all other code gets its dependencies.
enum Composition {
    /// Registers the services of a client; each is made with its first resolve.
    static func client(at path: String, port: Int) throws -> ServiceLocator {
        let app = ServiceLocator(named: "client")
        try app.register(
            DataAccessLayer.self,
            .asynchronous { _ in try await DataAccessLayer.openClient(at: path) })
        try app.register(DataRequestService.self) { _ in
            guard let base = URL(string: "http://127.0.0.1:\(port)") else {
                throw CancellationError()
            }
            return try DataRequestService(environment: ServerEnvironment("shop", baseURL: base))
        }
        try app.register(
            OfflineQueue.self,
            .asynchronous {
                var configuration = OfflineQueue.Configuration()
                configuration.maximumConcurrency = 8
                return OfflineQueue(
                    try await $0.resolve(), over: try await $0.resolve(),
                    configuration: configuration)
            })
        try app.register(
            (any PersistenceService).self,
            .asynchronous { StorePersistenceService(try await $0.resolve(DataAccessLayer.self)) })
        try app.register(
            ShopClient.self,
            .asynchronous {
                ShopClient(
                    dal: try await $0.resolve(), persistence: try await $0.resolve(),
                    service: try await $0.resolve(), queue: try await $0.resolve())
            })
        return app
    }

    /// The services of a client in one group, and what it is to do as the last of them.
    ///
    /// They stop in reverse order: the story, the queue, the requests, the store. Each needs those
    /// before it until it has stopped. The group stops when the story has ended.
    static func group(_ app: ServiceLocator, _ story: any Service) async throws -> ServiceGroup {
        // The store, the requests and the queue: what a service resolves stands before it.
        var services = try await app.services().map {
            ServiceGroupConfiguration.ServiceConfiguration(service: $0)
        }
        services.append(
            ServiceGroupConfiguration.ServiceConfiguration(
                service: story, successTerminationBehavior: .gracefullyShutdownGroup,
                failureTerminationBehavior: .gracefullyShutdownGroup))
        var configuration = ServiceGroupConfiguration(
            services: services, logger: Logger(label: "client"))
        configuration.maximumGracefulShutdownDuration = .seconds(25)
        return ServiceGroup(configuration: configuration)
    }

    /// Runs the services of a client until the story has ended or SIGTERM or SIGINT comes.
    static func run(_ app: ServiceLocator, _ story: any Service) async throws {
        let dal = try await app.resolve(DataAccessLayer.self)
        try await group(app, story).runUntilTerminated(hurrying: dal)
        try await app.close()
    }
}
#endif
