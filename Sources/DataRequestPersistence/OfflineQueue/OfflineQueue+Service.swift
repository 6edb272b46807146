#if RequestCore
#if Lifecycle
public import ServiceLifecycle

extension OfflineQueue: Service {}
#endif

extension OfflineQueue {
    /// Runs a closure; if a service group runs it, the group's graceful shutdown begins to stop
    /// the queue.
    func stoppingWithGroup(_ body: () async throws -> Void) async throws {
        #if Lifecycle
        try await withGracefulShutdownHandler {
            try await body()
        } onGracefulShutdown: {
            self.beginStopping()
        }
        #else
        try await body()
        #endif
    }

    /// Whether the service group of the present task shuts down.
    var isShuttingDownGracefully: Bool {
        #if Lifecycle
        Task.isShuttingDownGracefully
        #else
        false
        #endif
    }
}
#endif
