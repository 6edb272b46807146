#if Macros && Requests
import DataRequestCore
import DataRequestPersistence
import DataRequestService
import ExampleSupport
import Foundation
import HTTPTypes
import PersistenceService
import Skiathos

/// The client: a store that is read and changed whether or not the server can be reached.
struct ShopClient: Sendable {
    private struct Page: Decodable { var next: String? }

    let dal: DataAccessLayer
    let persistence: any PersistenceService
    let service: DataRequestService
    let queue: OfflineQueue

    /// What the three syncs together have done.
    struct Report: Sendable {
        var parts: [SyncReport]
        var isNotModified: Bool { parts.allSatisfy(\.isNotModified) }

        var summary: String {
            let sum = { (value: KeyPath<SyncReport, Int>) in
                parts.map { $0[keyPath: value] }.reduce(0, +)
            }
            return
                "\(sum(\.inserted)) new, \(sum(\.updated)) changed, \(sum(\.unchanged)) as before, "
                + "\(sum(\.deleted)) gone"
        }
    }

    /// Brings what the server has to the store: artists before their albums, albums before their
    /// tracks.
    func sync(_ total: Int) async throws -> Report {
        let bar = ProgressBar(total: total)
        let artists = try await dal.sync(
            Artist.self, from: DataRequest(.get, "artists"), over: service, by: \.key,
            options: options { bar.show($0) }
        ) { (record: ArtistRecord, _) in
            var artist = Artist(id: .unassigned)
            (artist.key, artist.name) = (record.key, record.name)
            return artist
        }
        let first = artists.elements
        let albums = try await dal.sync(
            Album.self, from: DataRequest(.get, "albums"), over: service, by: \.key,
            options: options { bar.show(first + $0) }
        ) { (record: AlbumRecord, context) in
            guard let artist = try Artist.first(where: { $0.key == record.artist }, in: context)
            else { return nil }
            var album = Album(id: .unassigned)
            (album.key, album.title, album.artist) = (record.key, record.title, artist.id)
            return album
        }
        let second = first + albums.elements
        var trackOptions: SyncOptions<Track> = options { bar.show(second + $0) }
        trackOptions.skipRowsWithQueuedChanges = { $0.key }
        let tracks = try await dal.sync(
            Track.self, from: DataRequest(.get, "tracks"), over: service, by: \.key,
            options: trackOptions
        ) { (record: TrackRecord, context) in
            guard let album = try Album.first(where: { $0.key == record.album }, in: context)
            else { return nil }
            var track = Track(id: .unassigned)
            track.take(record, album: album.id)
            return track
        }
        bar.finish(second + tracks.elements)
        return Report(parts: [artists, albums, tracks])
    }

    private func options<E: Entity>(
        _ progress: @escaping @Sendable (Int) -> Void
    ) -> SyncOptions<E> {
        var options = SyncOptions<E>()
        options.place = .key("items")
        options.pages = .cursor("after") { try $0.decode(Page.self).next }
        // The server's tag stands for the whole catalogue.
        options.revalidation = .firstPage
        options.deleteMissing = .all
        options.progress = { progress($0.elements) }
        return options
    }
}

extension SyncReport {
    /// How many elements have come.
    fileprivate var elements: Int { inserted + updated + unchanged + kept }
}
#endif
