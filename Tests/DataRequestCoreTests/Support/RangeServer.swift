#if RequestCore
import DataRequestCore
import HTTPTypes
import SkiathosLocks
import SkiathosPlatformFoundation
import Synchronization
import TestSupport
import Testing

/// Serves one file with ranges, and breaks connections as planned.
final class RangeServer: HTTPTransport {
    struct State {
        var data: Data
        var tag: String? = "\"v1\""
        var changed: String?
        /// After how many bytes of the body each exchange breaks; nil lets it end.
        var breaks: [Int?] = []
        /// How often nothing is reached after the exchanges with a break that are planned.
        var absences = 0
        /// What is found while nothing is reached; nil for no connection.
        var stand: HTTPResponse.Status?
        var hasRanges = true
        var saysLength = true
        /// Changes an answer before it is given.
        var change: (@Sendable (inout IncomingResponse) -> Void)?
        var requests: [OutgoingRequest] = []
    }

    let state: Lock<State>
    let pieceSize: Int

    init(_ data: Data, pieceSize: Int = 40_000) {
        state = Lock(State(data: data))
        self.pieceSize = pieceSize
    }

    /// The values of `Range` of the requests, `all` without one.
    var asked: [String] { state.withLock { $0.requests.map { $0.headers[.range] ?? "all" } } }

    func configure(_ change: @Sendable (inout State) -> Void) {
        state.withLock { change(&$0) }
    }

    func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
        let (state, limit, isAway): (State, Int?, Bool) = state.withLock { state in
            guard !state.breaks.isEmpty || state.absences == 0 else {
                state.absences -= 1
                return (state, nil, true)
            }
            state.requests.append(request)
            return (state, state.breaks.isEmpty ? nil : state.breaks.removeFirst(), false)
        }
        if isAway {
            guard let stand = state.stand else {
                throw DataRequestError(.connectionFailed, "Planned.", retry: .later)
            }
            return IncomingResponse(url: request.url, status: stand)
        }
        var response = Self.answer(request, state)
        let slice = response.status == .rangeNotSatisfiable ? Data() : Self.body(response, state)
        let answer = ScriptedAnswer(body: slice).inPieces(of: pieceSize)
        response.body = ByteStream(
            BrokenPieces(pieces: answer.pieces, limit: limit),
            length: state.saysLength ? Int64(slice.count) : nil)
        state.change?(&response)
        return response
    }

    func shutDown() async throws {}

    private static func body(_ response: IncomingResponse, _ state: State) -> Data {
        guard response.status == .partialContent, let range = response.headers[.contentRange],
            let first = Int(range.dropFirst(6).prefix { $0 != "-" })
        else { return state.data }
        return Data(state.data.dropFirst(first))
    }

    private static func answer(_ request: OutgoingRequest, _ state: State) -> IncomingResponse {
        var headers: HTTPFields = [.contentType: "application/octet-stream"]
        headers[.eTag] = state.tag
        headers[.lastModified] = state.changed
        headers[.date] = "Tue, 01 Jan 2030 00:00:00 GMT"
        let size = state.data.count
        let validator = state.tag ?? state.changed
        guard state.hasRanges, let range = request.headers[.range],
            request.headers[.ifRange] == validator,
            let first = Int(range.dropFirst(6).dropLast())
        else { return IncomingResponse(url: request.url, status: .ok, headers: headers) }
        guard first < size else {
            headers[.contentRange] = "bytes */\(size)"
            return IncomingResponse(
                url: request.url, status: .rangeNotSatisfiable, headers: headers)
        }
        headers[.contentRange] = "bytes \(first)-\(size - 1)/\(size)"
        return IncomingResponse(url: request.url, status: .partialContent, headers: headers)
    }
}

/// Pieces that end with a lost connection after a number of bytes.
private struct BrokenPieces: AsyncSequence, Sendable {
    typealias Element = Data
    let pieces: [Data]
    let limit: Int?

    struct AsyncIterator: AsyncIteratorProtocol {
        var rest: ArraySlice<Data>
        var left: Int?

        mutating func next() async throws -> Data? {
            try Task.checkCancellation()
            if left == 0 { throw DataRequestError(.connectionLost, "Planned.", retry: .later) }
            guard let piece = rest.popFirst() else { return nil }
            let part = piece.prefix(left ?? piece.count)
            left = left.map { $0 - part.count }
            return part
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: pieces[...], left: limit) }
}

/// A service over a range server, and a place for its file.
struct DownloadFixture {
    let server: RangeServer
    let service: DataRequestService
    let directory: URL
    var file: URL { directory.appending(path: "score.pdf") }
    var partial: URL { directory.appending(path: "score.pdf.part-data") }
    let bytes: Data

    init(_ directory: URL, size: Int = 300_000) throws {
        var numbers = SeededNumbers(seed: UInt64(size))
        bytes = numbers.bytes(size)
        server = RangeServer(bytes)
        var configuration = DataRequestService.Configuration()
        configuration.clock = HurriedClock()
        let base = try #require(URL(string: "https://api.example.com/v1"))
        service = try DataRequestService(
            environment: ServerEnvironment("test", baseURL: base),
            transport: server, configuration: configuration)
        self.directory = directory
    }

    func download(
        options: DownloadOptions = DownloadOptions(),
        onProgress: (@Sendable (DownloadProgress) -> Void)? = nil
    ) async throws -> DownloadResult {
        try await service.download(
            DataRequest(.get, "score"), to: file, options: options, onProgress: onProgress)
    }

    /// The names of the files that are there.
    var names: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()) ?? ["?"]
    }

    /// The bytes at the destination, if there are any.
    var saved: Data? { try? Data(contentsOf: file) }
}

/// Runs a test with a range server and an empty directory.
func withDownload(
    size: Int = 300_000, isolation: isolated (any Actor)? = #isolation,
    _ body: (DownloadFixture) async throws -> Void
) async throws {
    try await withFiles { try await body(try DownloadFixture($0, size: size)) }
}
#endif
