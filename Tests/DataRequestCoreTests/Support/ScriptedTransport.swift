#if RequestCore
import DataRequestCore
import HTTPTypes
import SkiathosLocks
import SkiathosPlatformFoundation
import Synchronization
import TestClocks

/// Answers by a closure that gets the number of earlier requests, and records them.
final class ScriptedTransport: HTTPTransport {
    typealias Script = @Sendable (OutgoingRequest, Int) async throws -> IncomingResponse

    private let script: Script
    private let sent = Lock<[OutgoingRequest]>([])
    private let shutDowns = Lock(0)

    init(_ script: @escaping Script) { self.script = script }

    /// Answers each request with a status.
    convenience init(_ status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) {
        self.init { request, _ in .answer(request, status, headers: headers) }
    }

    var requests: [OutgoingRequest] { sent.withLock { $0 } }
    var shutDownCount: Int { shutDowns.withLock { $0 } }

    func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
        let number = sent.withLock { sent in
            sent.append(request)
            return sent.count - 1
        }
        return try await script(request, number)
    }

    func shutDown() async throws { shutDowns.withLock { $0 += 1 } }
}

extension IncomingResponse {
    static func answer(
        _ request: OutgoingRequest, _ status: HTTPResponse.Status = .ok,
        headers: HTTPFields = [:], _ body: String = ""
    ) -> IncomingResponse {
        IncomingResponse(
            url: request.url, status: status, headers: headers, body: ByteStream(Data(body.utf8)))
    }

    func text() async throws -> String {
        var all = Data()
        for try await piece in body { all.append(piece) }
        return String(decoding: all, as: UTF8.self)
    }
}

extension DataRequestService {
    static func forTests(
        _ transport: any HTTPTransport, base: String = "https://api.example.com/v1",
        headers: HTTPFields = [:], clock: any Clock<Duration> = TestClock(),
        _ configure: (inout Configuration) -> Void = { _ in }
    ) throws -> DataRequestService {
        var configuration = Configuration()
        configuration.clock = clock
        configure(&configuration)
        return try DataRequestService(
            environment: .forTests(base, headers: headers), transport: transport,
            configuration: configuration)
    }
}

extension ServerEnvironment {
    static func forTests(
        _ base: String, headers: HTTPFields = [:], name: String = "test"
    ) throws -> ServerEnvironment {
        guard let url = URL(string: base) else { throw UnreadableAddress() }
        return ServerEnvironment(name, baseURL: url, headers: headers)
    }
}

struct UnreadableAddress: Error {}

/// The error that a closure throws, if it is one of the service.
func failure(
    of work: () async throws -> Void
) async -> DataRequestError? {
    do {
        try await work()
        return nil
    } catch {
        return error as? DataRequestError
    }
}
#endif
