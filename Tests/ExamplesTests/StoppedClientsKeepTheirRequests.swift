#if Macros && Requests
import DataRequestPersistence
import Foundation
import ServiceLifecycle
import ServiceLocator
import Skiathos
import SkiathosTesting
import TestSupport
import Testing

@testable import OfflineFirstKit

/// The composed client of OfflineFirst, stopped while its server is away.
@Suite(.generousTimeLimit) struct StoppedClientsKeepTheirRequests {
    /// The last service of a group that only a test stops.
    private struct Idle: Service {
        func run() async throws { try await gracefulShutdown() }
    }

    @Test func `a client that is stopped while its server is away delivers in its next run`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let path = directory.file("client.sqlite")
        try await withStore(
            .inMemory,
            entities: [
                Artist.self, Album.self, Track.self, HandledRequest.self, Revision.self,
            ]
        ) { shop in
            try await fill(shop)
            let server = try await ShopServer.start(shop)
            try await running(path, port: server.port) { client in
                let synced = try await client.sync(10)
                #expect(synced.parts.map(\.inserted) == [1, 1, 8])
                try await server.stop()
                let events = client.queue.events
                #expect(try await client.change(8) == 8)
                _ = await events.first { _ in true }
            }

            // The group has closed the store, and all requests are in it.
            let closed = try await DataAccessLayer.openClient(at: path)
            #expect(try await closed.read { try QueuedRequest.count(in: $0) } == 10)
            try await closed.close()

            let next = try await ShopServer.start(shop)
            try await running(path, port: next.port) { client in
                let events = client.queue.events
                while try await client.queue.counts().pending > 0 {
                    _ = await events.first { _ in true }
                }
                let mine = try await client.dal.read { try Contents(in: $0) }
                let theirs = try await shop.read { try Contents(in: $0) }
                #expect(mine.tracks.count == 8)
                #expect(mine.differences(from: theirs) == 0)
            }
            try await next.stop()
        }
        withExtendedLifetime(directory) {}
    }

    /// Runs the group of a client meanwhile, and stops it.
    private func running(
        _ path: String, port: Int, _ body: (ShopClient) async throws -> Void
    ) async throws {
        let app = try Composition.client(at: path, port: port)
        let client: ShopClient = try await app.resolve()
        let group = try await Composition.group(app, Idle())
        let run = Task { try await group.run() }
        let result: Result<Void, any Error>
        do { result = .success(try await body(client)) } catch { result = .failure(error) }
        await group.triggerGracefulShutdown()
        try await run.value
        try await app.close()
        try result.get()
        let error = await #expect(throws: DataAccessError.self) {
            try await client.dal.read { _ in }
        }
        #expect(error?.code == .closed)
    }

    private func fill(_ shop: DataAccessLayer) async throws {
        try await shop.write { context in
            let artist = try Artist.create(in: context) { ($0.key, $0.name) = ("a", "Miles") }
            let album = try Album.create(in: context) {
                ($0.key, $0.title, $0.artist) = ("b", "Kind of Blue", artist.id)
            }
            for number in 0..<8 {
                try Track.create(in: context) {
                    ($0.key, $0.name, $0.album) = ("t\(number)", "\(number)", album.id)
                }
            }
        }
    }
}
#endif
