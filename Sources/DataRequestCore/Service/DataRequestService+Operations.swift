#if RequestCore
import SkiathosLocks
import Synchronization

extension DataRequestService {
    /// Runs the work of one call in a task of its own.
    func operate<Value: Sendable>(
        _ request: DataRequest,
        _ work: @escaping @Sendable (RequestOperation) async throws -> Value
    ) async throws -> Value {
        let promise = Promise<Value, any Error>()
        return try await follow(request, promise) { operation in
            let result: Result<Value, any Error>
            do { result = .success(try await work(operation)) } catch { result = .failure(error) }
            self.registry.remove(operation)
            promise.complete(result)
        }
    }

    /// Runs the work of one call whose body the caller reads after the call has returned.
    func stream(
        _ request: DataRequest,
        _ work: @escaping @Sendable (RequestOperation) async throws -> IncomingResponse
    ) async throws -> IncomingResponse {
        let promise = Promise<Void, any Error>()
        // Apart from the promise, which keeps what it is given: the body ends when the caller drops
        // the response.
        let answer = Lock<IncomingResponse?>(nil)
        try await follow(request, promise) { operation in
            let response: IncomingResponse
            do { response = try await work(operation) } catch {
                self.registry.remove(operation)
                promise.complete(.failure(error))
                return
            }
            let channel = BodyChannel()
            let wasStopped = !operation.begin { channel.finish($0) }
            var handedOut = response
            handedOut.body = channel.stream(of: operation, length: response.body.length)
            if wasStopped {
                self.registry.remove(operation)
                return
            }
            answer.withLock { [handedOut] in $0 = handedOut }
            handedOut.body = .empty
            if !promise.complete(.success(())) { answer.withLock { $0 = nil } }
            await self.pump(response.body, into: channel, of: operation)
        }
        guard let response = answer.withLock({ $0.take() }) else {
            preconditionFailure("A call whose body is streamed has ended without a response.")
        }
        return response
    }

    private func pump(
        _ body: ByteStream, into channel: BodyChannel, of operation: RequestOperation
    ) async {
        var failure: (any Error)?
        do {
            // The reader's pauses count as pauses of the body. One without bytes needs no reader: it
            // ends, and its connection can be used again.
            if body.length != 0 {
                operation.startIdleLimit()
                try await channel.untilRequested()
            }
            for try await piece in body {
                operation.startIdleLimit()
                try await channel.send(piece)
            }
            operation.start(nil)
        } catch {
            failure = error
        }
        registry.remove(operation)
        channel.finish(failure)
    }

    private func follow<Value: Sendable>(
        _ request: DataRequest, _ promise: Promise<Value, any Error>,
        _ body: @escaping @Sendable (RequestOperation) async -> Void
    ) async throws -> Value {
        let operation = try registry.admit(request)
        if let token = request.options.token { operation.follow(token) }
        return try await withTaskCancellationHandler {
            if operation.begin({ promise.complete(.failure($0)) }) {
                let task = Task(priority: request.options.priority.taskPriority) {
                    await body(operation)
                }
                operation.attach(task)
            } else {
                registry.remove(operation)
            }
            return try await promise.outcome().get()
        } onCancel: {
            operation.stop(.callerCancelled)
        }
    }
}
#endif
