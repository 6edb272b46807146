#if RequestCore
import HTTPTypes
import SkiathosLocks
import SkiathosPlatformFoundation

/// One call that downloads a file: requests the missing bytes until the file is complete.
struct DownloadRun: Sendable {
    /// How one exchange has ended.
    enum Outcome: Sendable {
        case complete(ResponseHead)
        /// The partial file cannot be used any more.
        case askAnew
        /// The body has ended too early, for a transient reason.
        case interrupted(DataRequestError)
    }

    let service: DataRequestService
    let request: DataRequest
    let file: PartialFile
    let options: DownloadOptions
    let source: String
    let meter: DownloadMeter

    /// Completes the partial file, and returns the head of the last response.
    func fill() async throws -> ResponseHead {
        var interruptions = 0
        var mayResume = true
        while true {
            let point = mayResume && request.method == .get ? file.resumePoint : nil
            switch try await exchange(point, isResumption: interruptions > 0) {
            case .complete(let head): return head
            // A request without a range never has this outcome again.
            case .askAnew: mayResume = false
            case .interrupted(let error):
                mayResume = true
                interruptions += 1
                let isRepeatable = request.method == .get && request.body.isRepeatable
                guard isRepeatable, interruptions <= options.maximumResumptions else { throw error }
                try await pause(after: interruptions, error)
            }
        }
    }

    /// Requests the bytes from the resume point on.
    ///
    /// A server that cannot be reached while a transfer is resumed counts as another interruption: it
    /// may be restarting.
    private func exchange(
        _ point: (offset: Int64, record: ResumeRecord)?, isResumption: Bool
    ) async throws -> Outcome {
        do {
            // A broken transfer is resumed here; the service does not repeat the request.
            return try await service.perform(request(from: point), repeatable: false) {
                try await receive($0, point)
            }
        } catch let error as DataRequestError where isResumption && error.retry != .no {
            return try interruption(error)
        }
    }

    private func request(from point: (offset: Int64, record: ResumeRecord)?) -> DataRequest {
        var request = request
        // Compressed bytes could neither be counted nor resumed.
        if request.headers[.acceptEncoding] == nil {
            request.headers[.acceptEncoding] = "identity"
        }
        guard let point else { return request }
        request.headers[.range] = "bytes=\(point.offset)-"
        request.headers[.ifRange] = point.record.validator
        return request
    }

    private func receive(
        _ response: IncomingResponse, _ point: (offset: Int64, record: ResumeRecord)?
    ) async throws -> Outcome {
        let head = ResponseHead(response)
        guard point == nil || point?.offset == file.size else {
            return .interrupted(
                DataRequestError(
                    .connectionLost, "An earlier attempt has written to the file.", retry: .later))
        }
        let decision = ResumeDecision.decide(
            response, offset: point?.offset ?? 0, record: point?.record)
        switch decision {
        case .refuse: return try await refuse(response)
        case .askAnew: return .askAnew
        case .complete: return .complete(head)
        case .append(let end, let total):
            // A body that is longer than its range is detected by its length.
            return try await write(response, from: point?.offset ?? 0, end: end, total: total)
        case .startAnew(let total):
            guard request.expectedStatuses.contains(response.status) else {
                return try await refuse(response)
            }
            try check(total)
            let record = ResumeRecord(
                response, source: source, total: total, run: SystemRun.current)
            try await file.restart(request.method == .get ? record : nil)
            return try await write(response, from: 0, end: total, total: total)
        }
    }

    /// Throws the error of an unexpected status, so that its body is never saved as the file.
    private func refuse(_ response: IncomingResponse) async throws -> Outcome {
        var strict = request
        strict.expectedStatuses = ExpectedStatuses { _ in false }
        _ = try await service.checked(response, for: strict)
        return .askAnew
    }

    private func check(_ total: Int64?) throws {
        guard let total, let maximum = options.maximumSize, total > maximum else { return }
        throw tooLarge(maximum)
    }

    private func tooLarge(_ maximum: Int64) -> DataRequestError {
        DataRequestError(.tooLarge, "The file has more than \(maximum) bytes; raise maximumSize.")
    }

    /// Writes a body to the end of the partial file.
    private func write(
        _ response: IncomingResponse, from offset: Int64, end: Int64?, total: Int64?
    ) async throws -> Outcome {
        if let end { try await file.reserve(end - offset) }
        var buffer = Data()
        var received = offset
        var failure: (any Error)?
        do {
            for try await piece in response.body {
                received += Int64(piece.count)
                if let end, received > end { throw surplus(end) }
                if let maximum = options.maximumSize, received > maximum {
                    throw tooLarge(maximum)
                }
                buffer.append(piece)
                if buffer.count >= 32 << 10 { try await flush(&buffer, total) }
            }
        } catch {
            failure = error
        }
        // Bytes received before an interruption are kept.
        try await flush(&buffer, total)
        if failure == nil, let end, received < end {
            failure = DataRequestError(
                .connectionLost, "The file has ended at \(received) of \(end) bytes.",
                retry: .later)
        }
        if let failure { return try interruption(failure) }
        if let total, received < total {
            return .interrupted(
                DataRequestError(
                    .connectionLost,
                    "The server sent \(received) of the \(total) bytes of the file.",
                    retry: .later))
        }
        return .complete(ResponseHead(response))
    }

    private func flush(_ buffer: inout Data, _ total: Int64?) async throws {
        guard !buffer.isEmpty else { return }
        let size = try await file.append(buffer)
        buffer.removeAll(keepingCapacity: true)
        meter.reached(size, of: total)
    }

    private func surplus(_ end: Int64) -> DataRequestError {
        DataRequestError(
            .malformedResponse, "The answer has more than the \(end) bytes that were expected.")
    }

    /// A failed connection can be resumed; other errors end the call.
    private func interruption(_ failure: any Error) throws -> Outcome {
        guard let error = failure as? DataRequestError,
            error.code == .connectionLost || error.retry != .no,
            error.code != .timedOut || request.options.timeLimits.total == nil
        else { throw failure }
        return .interrupted(error)
    }

    /// Waits longer each time, from a quarter of a second on, and at least as long as
    /// `Retry-After`.
    private func pause(after interruptions: Int, _ error: DataRequestError) async throws {
        let time = Duration.milliseconds(250 << min(interruptions - 1, 6))
        let asked = error.retry.duration ?? .zero
        let policy = request.options.retry ?? service.configuration.retry
        guard asked <= policy.maximumRetryAfter else { throw error }
        try await service.configuration.clock.sleep(for: max(time, asked).waitable)
    }
}
#endif
