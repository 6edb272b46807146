#if Macros && Requests
import DataRequestCore
import DataRequestPersistence
import Foundation
import HTTPTypes
import PersistenceService
import Skiathos

extension ShopClient {
    /// Changes, deletes and creates tracks, each together with the request that sends it to
    /// the server.
    ///
    /// - Returns: How many changes were made.
    func change(_ count: Int) async throws -> Int {
        let keys = try await persistence.fetch(
            Track.self, orderedBy: { [$0.key.ascending] }, limit: count
        ).map(\.key)
        for (number, key) in keys.enumerated() {
            try await persistence.change { context in
                if let track = try Track.first(where: { $0.key == key }, in: context) {
                    try change(track, number, in: context)
                }
                return ((), .store)
            }
        }
        return keys.count
    }

    private func change(
        _ track: Managed<Track>, _ number: Int, in context: WriteContext
    ) throws {
        switch number % 4 {
        case 0: try delete(track, in: context)
        case 1: try copy(track, in: context)
        case 2:
            track.cents += 10
            try put(track, in: context)
        default:
            // Twice, so that the order matters.
            track.name = "to be renamed"
            try put(track, in: context)
            track.name = "Renamed: \(track.key)"
            try put(track, in: context)
        }
    }

    private func delete(_ track: Managed<Track>, in context: WriteContext) throws {
        let request = DataRequest(.delete, "tracks/\(track.key)").named("tracks.delete")
        try context.enqueue(request, key: track.key)
        try track.delete()
    }

    private func copy(_ track: Managed<Track>, in context: WriteContext) throws {
        let copy = try Track.create(in: context) { copy in
            (copy.key, copy.name) = ("track-\(UUID().uuidString)", "Copy of \(track.name)")
            (copy.milliseconds, copy.cents) = (track.milliseconds, track.cents)
            copy.album = track.album
        }
        try put(copy, in: context)
    }

    private func put(_ track: Managed<Track>, in context: WriteContext) throws {
        let album = try Album.find(track.album, in: context)?.key ?? ""
        let body = try JSONEncoder().encode(track.value.record(album: album))
        let request = DataRequest(.put, "tracks/\(track.key)").named("tracks.put")
            .body(.data(body, contentType: "application/json"))
        try context.enqueue(request, key: track.key)
    }
}
#endif
