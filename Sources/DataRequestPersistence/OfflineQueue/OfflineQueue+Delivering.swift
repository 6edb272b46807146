#if RequestCore
import DataRequestCore
import HTTPTypes
import SkiathosLocks
import SkiathosPlatformFoundation
import SkiathosCore
import SkiathosStore
import Synchronization

extension OfflineQueue {
    /// The outcome of an attempt.
    enum Outcome: Sendable {
        case delivered
        /// When the wait ends, as `RetryWaits` counts.
        case postponed(until: Duration)
        case deadLettered
        /// The task was cancelled; nothing has changed.
        case cancelled
    }

    /// Delivers the requests of a key one after the other, until none is left or one cannot be
    /// sent.
    ///
    /// - Parameter record: Called with every outcome.
    func deliver(_ due: DueKey, _ record: @Sendable (Outcome) -> Void) async throws {
        let key = due.key
        var isHurried = due.isHurried
        var newestDurable = due.newestDurable
        while !Task.isCancelled, !isStopping, claim(key) {
            do {
                defer { dal.queueClaims.release(key) }
                while let item = try await next(key, isHurried) {
                    // It was enqueued since the round began.
                    if newestDurable.map({ $0 < item.id }) ?? true {
                        newestDurable = try await makeDurable()
                    }
                    let outcome = try await attempt(item)
                    record(outcome)
                    switch outcome {
                    case .delivered: continue
                    case .deadLettered where configuration.deadLetterPolicy == .passOver: continue
                    default: return
                    }
                }
            }
            // A write before the release of the key saw it claimed, so the store is checked
            // again.
            isHurried = false
            guard try await next(key, false) != nil else { return }
        }
    }

    /// Claims a key; if it is claimed, the queue checks again when it is released.
    private func claim(_ key: String) -> Bool {
        dal.queueClaims.claim(key, for: ObjectIdentifier(self)) { [weak self] in self?.wake() }
    }

    private func next(_ key: String, _ isHurried: Bool) async throws -> QueuedRequest? {
        guard !Task.isCancelled, !isStopping,
            let item = try await head(of: key)
        else { return nil }
        let end = waits.end(
            of: item.id, nextAttempt: item.nextAttempt, lastAttempt: item.lastAttempt)
        return isHurried || end == nil ? item : nil
    }

    /// Sends a request, and stores the outcome.
    private func attempt(_ item: QueuedRequest) async throws -> Outcome {
        let answer: QueueAnswer
        do {
            answer = try await read(try await service.response(for: try request(of: item)))
        } catch is CancellationError {
            return .cancelled
        } catch let error as DataRequestError where error.code == .shutDown {
            return .cancelled
        } catch {
            if Task.isCancelled { return .cancelled }
            return try await failed(item, error)
        }
        return try await delivered(item, answer)
    }

    /// The request to deliver, which is not delivered by a redirect that drops its body.
    private func request(of item: QueuedRequest) throws -> DataRequest {
        var request = try item.request
        var redirects = service.configuration.redirects
        redirects.keepsBody = true
        request.options.redirects = redirects
        return request
    }

    private func read(_ response: IncomingResponse) async throws -> QueueAnswer {
        var answer = QueueAnswer(
            status: response.status, headers: response.headers, body: Data(), isWhole: false)
        do {
            for try await piece in response.body {
                answer.body.append(
                    piece.prefix(configuration.maximumAnswerSize - answer.body.count))
                guard answer.body.count < configuration.maximumAnswerSize else { return answer }
            }
            answer.isWhole = true
        } catch {
            // The head was a success; only `onDelivered` needs the body, and so a repetition.
            if configuration.onDelivered != nil { throw error }
        }
        return answer
    }

    /// Removes a request, in the write that runs `onDelivered`.
    private func delivered(_ item: QueuedRequest, _ answer: QueueAnswer) async throws -> Outcome {
        dal.syncsUnderWay.recordDelivery(of: item.key)
        state.withLock { if !$0.runs.isEmpty { $0.removed.insert(item.id) } }
        do {
            try await unstoppable { [self] in
                try await dal.write(acknowledging: configuration.removal) { [configuration] in
                    try SyncMark.recordDelivery(of: item.key, in: $0)
                    guard let object = try QueuedRequest.find(item.id, in: $0) else { return }
                    try configuration.onDelivered?(item, answer, $0)
                    try object.delete()
                }
            }
        } catch {
            state.withLock { _ = $0.removed.remove(item.id) }
            // If the store cannot be written, the next line fails as well, and ends the
            // delivery.
            return try await deadLetter(item, "answerNotStored", answer.status)
        }
        notify(.delivered(item.id, key: item.key))
        return .delivered
    }

    private func failed(_ item: QueuedRequest, _ error: any Error) async throws -> Outcome {
        let code = DeliveryVerdict.code(error)
        let status = (error as? DataRequestError)?.status
        let hasReached = DeliveryVerdict.hasReachedServer(error)
        let isLast =
            hasReached
            && configuration.maximumAttempts.map { item.attemptsAtServer + 1 >= $0 } ?? false
        guard case .later(let asked) = DeliveryVerdict(error, configuration), !isLast else {
            return try await deadLetter(item, code, status, hasReached: hasReached)
        }
        let delay = configuration.delay(afterFailures: item.attempts + 1, asked: asked)
        let failure = configuration.now()
        let time = failure.addingTimeInterval(delay / .seconds(1))
        try await change(item, hasReached: hasReached) {
            $0.nextAttempt = time
            $0.lastAttempt = failure
            $0.lastError = code
            $0.lastStatus = status?.code
        }
        notify(.postponed(item.id, key: item.key, code: code, until: time))
        let end = waits.end(of: item.id, nextAttempt: time, lastAttempt: failure)
        return .postponed(until: end ?? .zero)
    }

    private func deadLetter(
        _ item: QueuedRequest, _ code: String, _ status: HTTPResponse.Status?,
        hasReached: Bool = true
    ) async throws -> Outcome {
        try await change(item, hasReached: hasReached) {
            $0.state = .deadLetter
            $0.nextAttempt = nil
            $0.lastError = code
            $0.lastStatus = status?.code
        }
        notify(.deadLettered(item.id, key: item.key, code: code))
        return .deadLettered
    }

    private func change(
        _ item: QueuedRequest, hasReached: Bool,
        _ change: @escaping @Sendable (Managed<QueuedRequest>) -> Void
    ) async throws {
        try await unstoppable { [dal] in
            try await dal.write { context in
                guard let object = try QueuedRequest.find(item.id, in: context) else { return }
                object.attempts += 1
                if hasReached { object.attemptsAtServer += 1 }
                change(object)
            }
        }
    }

    /// Runs work that the cancellation of the task must not end.
    ///
    /// Otherwise the outcome of a delivery would be lost, and the request sent again.
    private func unstoppable(_ body: @escaping @Sendable () async throws -> Void) async throws {
        try await Task { try await body() }.value
    }
}
#endif
