import AsyncHTTPClient
import DataRequestService
import Foundation
import NIOCore
import NIOHTTP1

/// A small answer, as of a typical backend.
struct Track: Codable, Sendable {
    var id: Int
    var title: String
    var artist: String
    var seconds: Double
    var genres: [String]

    static let sample = Track(
        id: 7, title: "So What", artist: "Miles Davis", seconds: 562.5, genres: ["Jazz", "Modal"])
}

/// A way to ask the server for a track.
protocol Contestant: Sendable {
    var name: String { get }
    func ask() async throws
    func shutDown() async throws
}

/// AsyncHTTPClient as one uses it by hand.
struct BareClient: Contestant {
    let name = "AsyncHTTPClient"
    private let client = HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup)
    private let url: String

    init(base: URL) throws { url = base.appending(path: "tracks/7").absoluteString }

    func ask() async throws {
        let response = try await client.execute(
            HTTPClientRequest(url: url), timeout: .seconds(60))
        guard response.status == .ok else { throw WrongAnswer() }
        let body = try await response.body.collect(upTo: 16 << 20)
        let track = try JSONDecoder().decode(Track.self, from: Data(body.readableBytesView))
        guard track.id == 7 else { throw WrongAnswer() }
    }

    func shutDown() async throws { try await client.shutdown() }
}

/// The service with its default configuration.
struct Service: Contestant {
    let name = "DataRequestService"
    private let service: DataRequestService

    init(base: URL) throws {
        service = try DataRequestService(environment: ServerEnvironment("local", baseURL: base))
    }

    func ask() async throws {
        let track = try await service.get("tracks/7", as: Track.self)
        guard track.id == 7 else { throw WrongAnswer() }
    }

    func shutDown() async throws { _ = await service.shutDown(deadline: .seconds(1)) }
}

/// An answer that is not the one asked for.
struct WrongAnswer: Error {}
