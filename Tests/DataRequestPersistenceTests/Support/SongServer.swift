#if RequestCore
import DataRequestCore
import Foundation
import HTTPTypes
import SkiathosLocks
import Synchronization
import TestClocks

/// A server of songs in memory, with pages, validators and faults.
final class SongServer: Sendable {
    struct State {
        /// The songs by their numbers, each as JSON.
        var songs: [Int: String] = [:]
        var hasValidators = true
        var version = 1
        /// After how many bytes of each body the connection is lost.
        var cut: Int?
        var cutsPage: String?
        var totalCount = false
        /// Runs before a page is answered, outside of the lock.
        var beforeAnswer: (@Sendable () async throws -> Void)?
        var requests: [String] = []
        var notModified = 0
        /// Leads from the last page to an address of one's choice.
        var lastLink: String?
    }

    let state = Lock(State())

    func set(_ songs: [Int: String]) {
        state.withLock {
            $0.songs = songs.mapValues { "\"title\":\"\($0)\"" }
            $0.version += 1
        }
    }

    var requests: [String] { state.withLock { $0.requests } }

    func service() throws -> DataRequestService {
        guard let base = URL(string: "https://music.example/api") else { throw CancellationError() }
        var configuration = DataRequestService.Configuration()
        // No limit of time passes on a busy machine.
        configuration.clock = TestClock()
        // What is tried again shall be seen.
        configuration.retry = .never
        return try DataRequestService(
            environment: ServerEnvironment("test", baseURL: base),
            transport: RecordingTransport { try await self.answer($0) },
            configuration: configuration)
    }

    private func answer(_ request: OutgoingRequest) async throws -> IncomingResponse {
        if let hook = state.withLock({ $0.beforeAnswer }) { try await hook() }
        return state.withLock { state in
            let items = URLComponents(url: request.url, resolvingAgainstBaseURL: true)?.queryItems
            let query = Dictionary((items ?? []).map { ($0.name, $0.value ?? "") }) { $1 }
            state.requests.append(request.url.query ?? "")
            var headers: HTTPFields = [:]
            if state.hasValidators {
                headers[.eTag] = "\"v\(state.version)\""
                if let known = request.headers[.ifNoneMatch], known == headers[.eTag] {
                    state.notModified += 1
                    return IncomingResponse(
                        url: request.url, status: .notModified, headers: headers)
                }
            }
            if state.totalCount, let name = HTTPField.Name("X-Total-Count") {
                headers[name] = String(state.songs.count)
            }
            let all = state.songs.keys.sorted()
            let limit = query["limit"].flatMap { Int($0) } ?? all.count
            let offset = query["offset"].flatMap { Int($0) } ?? 0
            let after = query["after"].flatMap { Int($0) } ?? Int.min
            let rest = all.filter { $0 > after }.dropFirst(offset)
            let page = rest.prefix(limit)
            let isLast = page.count == rest.count
            let link =
                isLast
                ? state.lastLink : page.last.map { "/api/songs?after=\($0)&limit=\(limit)" }
            if let link, let name = HTTPField.Name("Link") {
                headers[name] = "<https://music.example/x>; rel=\"first\", <\(link)>; rel=next"
            }
            let elements = page.map { "{\"id\":\($0),\(state.songs[$0] ?? "")}" }
            let next = isLast ? "null" : "\"\(page.last ?? 0)\""
            let body = Data(
                "{\"items\":[\(elements.joined(separator: ","))],\"next\":\(next)}".utf8)
            return IncomingResponse(
                url: request.url, status: .ok, headers: headers, body: stream(body, state, query))
        }
    }

    private func stream(
        _ body: Data, _ state: State, _ query: [String: String]
    ) -> ByteStream {
        let isCut = state.cutsPage == nil || state.cutsPage == (query["after"] ?? "")
        let end = isCut ? state.cut.map { min($0, body.count) } : nil
        let place = Lock(0)
        return ByteStream(
            AsyncThrowingStream<Data, any Error>(unfolding: {
                let start = place.withLock { place in
                    defer { place += 37 }
                    return place
                }
                if let end, start >= end {
                    throw DataRequestError(.connectionLost, "Lost.", retry: .later)
                }
                return start < body.count
                    ? body[start..<min(body.count, min(end ?? .max, start + 37))] : nil
            }), length: Int64(body.count))
    }
}

extension DataRequest {
    /// All songs.
    static let songs = DataRequest(.get, "songs")
}
#endif
