#if RequestCore
import HTTPTypes
import SkiathosLocks
import SkiathosPlatformFoundation
import Synchronization

extension DataRequestService {
    /// The response, if its status is one that the request expects.
    ///
    /// For another status, the start of the body is read within limits of size and time. It is
    /// decoded if the request or the service names a type.
    func checked(
        _ response: IncomingResponse, for request: DataRequest
    ) async throws -> IncomingResponse {
        guard !request.expectedStatuses.contains(response.status) else { return response }
        var error = DataRequestError(
            .unexpectedStatus,
            "\(request.method) \(response.url.withoutSecrets) was answered with "
                + "\(response.status.code).",
            retry: DataRequestError.Retry(status: response.status, headers: response.headers),
            status: response.status)
        error.headers = response.headers
        let (body, isWhole) = try await startOfBody(of: response)
        error.body = body
        guard isWhole, !body.isEmpty else { throw error }
        let isProblem =
            response.headers[.contentType].flatMap(MediaType.init)?.description
            == "application/problem+json"
        let failure =
            request.failureBody ?? configuration.failureBody
            ?? (isProblem ? .decoding(ProblemDetails.self) : nil)
        error.failureValue = failure?.decode(valueReader, body, response.headers)
        throw error
    }

    var valueReader: ValueReader {
        ValueReader(
            serializers: configuration.serializers, assumed: configuration.assumedMediaType,
            decoder: configuration.decoder)
    }

    /// The start of the body.
    ///
    /// Reading stops at the end of the body, at the limit of size or time, or when the
    /// connection breaks. The error then reports the status with the bytes read so far.
    private func startOfBody(
        of response: IncomingResponse
    ) async throws -> (Data, isWhole: Bool) {
        guard response.body.length != 0 else { return (Data(), true) }
        let start = StartOfBody(limit: configuration.maximumFailureBodySize)
        let (clock, time) = (configuration.clock, configuration.failureBodyTimeLimit)
        await withTaskGroup { group in
            group.addTask { await start.read(response.body) }
            group.addTask { try? await clock.sleep(for: time.waitable) }
            await group.next()
            group.cancelAll()
        }
        try Task.checkCancellation()
        return start.result
    }
}

/// The first bytes of a body, as far as they were received.
private final class StartOfBody: Sendable {
    private struct State {
        var data = Data()
        var isWhole = false
    }

    private let limit: Int
    private let state = Lock(State())

    init(limit: Int) { self.limit = limit }

    var result: (Data, isWhole: Bool) { state.withLock { ($0.data, $0.isWhole) } }

    func read(_ body: ByteStream) async {
        do {
            for try await piece in body {
                let isFull = state.withLock { state in
                    let room = limit - state.data.count
                    state.data.append(piece.prefix(room))
                    return piece.count > room
                }
                if isFull { return }
            }
            if !Task.isCancelled { state.withLock { $0.isWhole = true } }
        } catch {
            // The status is reported with the bytes received; the connection error would hide
            // it.
        }
    }
}
#endif
