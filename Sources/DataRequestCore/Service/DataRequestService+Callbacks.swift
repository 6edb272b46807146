#if RequestCore
public import Dispatch
import SkiathosLocks

extension DataRequestService {
    /// Runs a closure with the service and calls back with its result, for code without tasks.
    ///
    /// ```swift
    /// let token = service.start(on: .main) { service in
    ///     try await service.decode([Track].self, from: DataRequest(.get, "tracks"))
    /// } completion: { result in
    ///     show(result)
    /// }
    /// ```
    ///
    /// The completion is called exactly once, also when the token is cancelled or the service
    /// shut down, and never from inside this call.
    ///
    /// - Parameters:
    ///   - queue: Where the completion is called; nil for any thread.
    ///   - work: The work; its task is cancelled together with the token.
    ///   - completion: Gets the result; `DataRequestError` with code `cancelled` after
    ///     ``RequestToken/cancel()``.
    /// - Returns: A token that cancels the work; it may be dropped.
    @discardableResult
    public func start<Value: Sendable>(
        on queue: DispatchQueue? = nil,
        _ work: @escaping @Sendable (DataRequestService) async throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) -> RequestToken {
        let token = RequestToken()
        let promise = Promise<Value, any Error>()
        let worker = Task {
            let result: Result<Value, any Error>
            do { result = .success(try await work(self)) } catch { result = .failure(error) }
            promise.complete(result)
        }
        let link = token.onCancel {
            promise.complete(
                .failure(StopReason.tokenCancelled.error(for: "Work with the service")))
            worker.cancel()
        }
        Task {
            let result = await promise.outcome()
            token.forget(link)
            guard let queue else { return completion(result) }
            queue.async { completion(result) }
        }
        return token
    }

    /// Sends a request and calls back with the head of the answer and its body as a stream.
    ///
    /// ```swift
    /// let token = service.start(DataRequest(.get, "tracks"), on: .main) { result in … }
    /// ```
    ///
    /// See ``start(on:_:completion:)`` for when and how often the completion is called.
    @discardableResult
    public func start(
        _ request: DataRequest, on queue: DispatchQueue? = nil,
        completion: @escaping @Sendable (Result<IncomingResponse, any Error>) -> Void
    ) -> RequestToken {
        start(on: queue, { try await $0.response(for: request) }, completion: completion)
    }
}
#endif
