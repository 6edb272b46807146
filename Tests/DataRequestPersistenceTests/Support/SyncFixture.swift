#if RequestCore
import DataRequestCore
import DataRequestPersistence
import Skiathos
import SkiathosTesting

/// A client and its server.
struct SyncFixture: Sendable {
    let dal: DataAccessLayer
    let server: SongServer
    let service: DataRequestService

    /// Runs a test with an empty store and server.
    static func run(_ body: @Sendable (SyncFixture) async throws -> Void) async throws {
        let server = SongServer()
        let service = try server.service()
        try await withStore(.inMemory, entities: [Song.self] + DataRequestEntities.all) { dal in
            try await body(SyncFixture(dal: dal, server: server, service: service))
        }
    }

    var options: SyncOptions<Song> {
        var options = SyncOptions<Song>()
        options.place = .key("items")
        options.batchSize = 10
        return options
    }

    @discardableResult
    func sync(_ change: (inout SyncOptions<Song>) -> Void = { _ in }) async throws -> SyncReport {
        var options = options
        change(&options)
        return try await dal.sync(
            Song.self, from: .songs, over: service, by: \.serverID, options: options)
    }

    /// The titles that the client has, by the server's numbers.
    func titles() async throws -> [Int: String] {
        let songs = try await dal.read { try Song.all(in: $0) }
        return Dictionary(uniqueKeysWithValues: songs.map { ($0.serverID, $0.title) })
    }

    static func numbered(_ count: Int, _ title: String = "Song") -> [Int: String] {
        Dictionary(uniqueKeysWithValues: (1...count).map { ($0, "\(title) \($0)") })
    }
}
#endif
