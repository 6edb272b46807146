#if Requests
import DataRequestService
import Foundation
import HTTPTypes
import TestClocks
import Testing

extension IncomingResponse {
    /// The whole body.
    func bytes() async throws -> Data {
        var bytes = Data()
        for try await piece in body { bytes.append(piece) }
        return bytes
    }

    /// The whole body as text.
    func text() async throws -> String { String(decoding: try await bytes(), as: UTF8.self) }
}

extension DataRequestService.Configuration {
    /// With limits that pass on no machine, however busy it is.
    static var patient: Self {
        var configuration = Self()
        configuration.clock = PatientClock()
        return configuration
    }
}

extension AsyncHTTPTransport.Configuration {
    /// With limits that pass on no machine, however busy it is.
    static var patient: Self {
        var configuration = Self()
        configuration.connectLimit = .seconds(6000)
        configuration.waitingLimit = .seconds(6000)
        configuration.idleConnectionLimit = .seconds(6000)
        return configuration
    }
}

/// Runs with a transport that is shut down at the end.
func withTransport<Value: Sendable>(
    _ security: SecurityPolicy = SecurityPolicy(),
    _ configuration: AsyncHTTPTransport.Configuration = .patient,
    run: @Sendable (AsyncHTTPTransport) async throws -> Value
) async throws -> Value {
    let transport = try AsyncHTTPTransport(security: security, configuration: configuration)
    let result: Result<Value, any Error>
    do { result = .success(try await run(transport)) } catch { result = .failure(error) }
    try await transport.shutDown()
    return try result.get()
}

/// Runs with a service that is shut down at the end.
@discardableResult
func withService<Value: Sendable>(
    _ base: URL, headers: HTTPFields = [:], security: SecurityPolicy = SecurityPolicy(),
    configure: (inout DataRequestService.Configuration) -> Void = { _ in },
    run: (DataRequestService) async throws -> Value
) async throws -> Value {
    var configuration = DataRequestService.Configuration.patient
    configuration.retry.baseDelay = .zero
    configure(&configuration)
    let service = try DataRequestService(
        environment: ServerEnvironment("test", baseURL: base, headers: headers),
        security: security, connections: .patient, configuration: configuration)
    let result: Result<Value, any Error>
    do { result = .success(try await run(service)) } catch { result = .failure(error) }
    _ = await service.shutDown(deadline: .zero)
    return try result.get()
}

/// Sends a request to a server of scripted bytes and reads the answer.
func exchange(
    _ request: OutgoingRequest? = nil, script: @escaping RawScript
) async throws -> (status: Int, headers: HTTPFields, body: Data) {
    try await withRawServer(script) { url in
        try await withTransport { transport in
            var sent = request ?? OutgoingRequest(url: url)
            sent.url = url
            let response = try await transport.send(sent)
            return (response.status.code, response.headers, try await response.bytes())
        }
    }
}

/// The error of a request with that code; the test fails if there is none or another.
@discardableResult
func expectError(
    _ code: DataRequestError.Code, _ location: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Void
) async -> DataRequestError? {
    do {
        try await body()
        Issue.record("Expected \(code), and nothing was thrown.", sourceLocation: location)
    } catch let error as DataRequestError {
        #expect(error.code == code, "\(error)", sourceLocation: location)
        return error
    } catch {
        Issue.record("Expected \(code), found \(error).", sourceLocation: location)
    }
    return nil
}

/// A stream of pieces that are made while it is read.
func pieces(
    _ count: Int, of piece: Data, length: Int64? = nil
) -> ByteStream {
    ByteStream(
        AsyncStream { continuation in
            for _ in 0..<count { continuation.yield(piece) }
            continuation.finish()
        }, length: length)
}
#endif
