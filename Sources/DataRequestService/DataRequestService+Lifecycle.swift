#if Requests
public import DataRequestCore
public import ServiceLifecycle

extension DataRequestService: Service {
    /// Runs until the shutdown of a service group, and then lets calls in flight finish.
    ///
    /// ```swift
    /// let group = ServiceGroup(services: [requests, server], logger: logger)
    /// try await group.run()
    /// ```
    ///
    /// On a graceful shutdown new calls are refused, those in flight have
    /// `configuration.shutdownDeadline` to finish, and the transport is shut down. On
    /// cancellation, also while they finish, all calls are cancelled at once. A group stops
    /// the last of its services first, so services that make requests come after this one.
    public func run() async throws {
        await withTaskCancellationHandler {
            do { try await gracefulShutdown() } catch {
                await shutDown(deadline: .zero)
                return
            }
            await shutDown(deadline: configuration.shutdownDeadline)
        } onCancel: {
            Task { await shutDown(deadline: .zero) }
        }
    }
}
#endif
