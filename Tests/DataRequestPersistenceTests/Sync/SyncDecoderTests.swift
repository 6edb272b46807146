#if RequestCore
import DataRequestCore
import DataRequestPersistence
import Foundation
import HTTPTypes
import Skiathos
import SkiathosTesting
import TestClocks
import Testing

/// What decodes the elements of a sync.
struct SyncDecoderTests {
    private struct Item: Decodable, Sendable {
        var serverNumber: Int
    }

    private func sync(
        _ body: String, _ options: SyncOptions<Song> = SyncOptions()
    ) async throws -> [Int] {
        let base = try #require(URL(string: "https://music.example/api"))
        var configuration = DataRequestService.Configuration()
        configuration.clock = TestClock()
        configuration.decoder.keyDecodingStrategy = .convertFromSnakeCase
        let service = try DataRequestService(
            environment: ServerEnvironment("test", baseURL: base),
            transport: RecordingTransport().on(.get, "/api/songs", .json(body)),
            configuration: configuration)
        return try await withStore(
            .inMemory, entities: [Song.self] + DataRequestEntities.all
        ) { store in
            _ = try await store.sync(
                Song.self, from: .songs, over: service, by: \.serverID, options: options
            ) { (item: Item, _) in
                var song = Song(id: .unassigned)
                song.serverID = item.serverNumber
                return song
            }
            return try await store.read { try Song.all(in: $0).map(\.serverID) }
        }
    }

    @Test func `elements are decoded with the decoder of the service`() async throws {
        let numbers = try await sync(#"[{"server_number": 7}]"#)
        #expect(numbers == [7])
    }

    @Test func `the decoder of the options goes before that of the service`() async throws {
        var options = SyncOptions<Song>()
        options.decoder = JSONDecoder()
        let numbers = try await sync(#"[{"serverNumber": 8}]"#, options)
        #expect(numbers == [8])
    }
}
#endif
