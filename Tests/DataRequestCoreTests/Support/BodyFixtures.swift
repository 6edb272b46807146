#if RequestCore
import DataRequestCore
import HTTPTypes
import SkiathosPlatformFoundation
import TestClocks
import TestSupport
import Testing

/// Sends requests to a recording transport.
struct BodyFixture {
    let transport: RecordingTransport
    let service: DataRequestService

    init(
        _ transport: RecordingTransport,
        configure: (inout DataRequestService.Configuration) -> Void = { _ in }
    ) throws {
        self.transport = transport
        let base = try #require(URL(string: "https://api.example.com/v1"))
        var configuration = DataRequestService.Configuration()
        // No limit of time passes on a busy machine.
        configuration.clock = TestClock()
        configuration.retry = .never
        configure(&configuration)
        service = try DataRequestService(
            environment: ServerEnvironment("test", baseURL: base), transport: transport,
            configuration: configuration)
    }

    /// Answers everything with 200 and the given bytes.
    init(
        answering data: Data = Data(), type: String? = "application/json",
        configure: (inout DataRequestService.Configuration) -> Void = { _ in }
    ) throws {
        let transport = RecordingTransport { request in
            var headers: HTTPFields = [:]
            headers[.contentType] = type
            return IncomingResponse(
                url: request.url, status: .ok, headers: headers, body: ByteStream(data))
        }
        try self.init(transport, configure: configure)
    }

    /// What arrives if a request is sent.
    func sent(_ request: DataRequest) async throws -> RecordingTransport.Sent {
        _ = try await service.response(for: request)
        return try #require(transport.requests.last)
    }
}

/// Runs a test with a directory that is removed afterwards.
func withFiles<Value>(
    isolation: isolated (any Actor)? = #isolation, _ body: (URL) async throws -> Value
) async throws -> Value {
    let url = FileManager.default.temporaryDirectory
        .appending(path: "DataRequestTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: url) }
    return try await body(url)
}

/// The error of the service that a call throws.
func failure(
    isolation: isolated (any Actor)? = #isolation, _ call: () async throws -> some Any
) async -> DataRequestError? {
    do {
        _ = try await call()
        return nil
    } catch {
        return error as? DataRequestError
    }
}

extension SeededNumbers {
    /// Eight at a time, since a sanitizer makes each call dear.
    mutating func bytes(_ count: Int) -> Data {
        var words: [UInt64] = []
        words.reserveCapacity(count / 8 + 1)
        while words.count * 8 < count { words.append(next()) }
        return words.withUnsafeBytes { Data($0.prefix(count)) }
    }
}

/// Pieces as a stream.
func pieces(_ texts: String..., length: Int64? = nil) -> ByteStream {
    ByteStream(
        AsyncStream<Data> { continuation in
            for text in texts { continuation.yield(Data(text.utf8)) }
            continuation.finish()
        }, length: length)
}
#endif
