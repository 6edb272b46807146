#if Macros && Requests
import DataRequestService
import Foundation
import HTTPTypes
import Skiathos
import SkiathosTesting
import TestSupport
import Testing

@testable import OfflineFirstKit

@Suite(.generousTimeLimit) struct RefusedCommandsAreNotRemembered {
    @Test func `a refused command is refused again, and carried out once when it can be`()
        async throws
    {
        try await withStore(
            .inMemory,
            entities: [
                Artist.self, Album.self, Track.self, HandledRequest.self, Revision.self,
            ]
        ) { store in
            let server = try await ShopServer.start(store)
            let base = try #require(URL(string: "http://127.0.0.1:\(server.port)"))
            let service = try DataRequestService.patient("shop", at: base)
            let record = TrackRecord(
                key: "t", name: "So What", milliseconds: 1, cents: 99, album: "kind-of-blue")
            let command = try DataRequest(.put, "tracks/t").idempotencyKey("command-7")
                .json(record).expecting(.any)
            func status() async throws -> Int {
                let response = try await service.response(for: command)
                for try await _ in response.body {}
                return response.status.code
            }
            for _ in 0..<2 { #expect(try await status() == 422) }
            try await store.write { context in
                let artist = try Artist.create(in: context) { $0.key = "davis" }
                try Album.create(in: context) {
                    $0.key = "kind-of-blue"
                    $0.artist = artist.id
                }
            }
            for _ in 0..<2 { #expect(try await status() == 204) }
            let (names, handled, revisions) = try await store.read { context in
                (
                    try Track.all(in: context).map(\.name),
                    try HandledRequest.count(in: context),
                    try Revision.all(in: context).map(\.number)
                )
            }
            #expect(names == ["So What"])
            #expect(handled == 1)
            #expect(revisions == [1])
            _ = await service.shutDown(deadline: .zero)
            try await server.stop()
        }
    }
}
#endif
