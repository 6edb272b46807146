#if Macros && Requests
import DataRequestPersistence
import Skiathos

/// A band, a singer, or another maker of albums.
@Entity struct Artist {
    /// The key of the row, which is the same on server and client; their IDs may differ.
    @Unique var key = ""
    var name = ""
}

/// An album; it goes when its artist goes.
@Entity struct Album {
    @Unique var key = ""
    var title = ""
    @References(onDelete: .cascade) var artist: Artist.ID = .unassigned
}

/// What the shop sells.
@Entity struct Track {
    @Unique var key = ""
    var name = ""
    var milliseconds = 0
    var cents = 0
    @References(onDelete: .cascade) var album: Album.ID = .unassigned
}

/// A request that the server has carried out, so that it does so once.
@Entity struct HandledRequest {
    @Unique var key = ""
}

/// How often the catalogue of the server has changed.
@Entity struct Revision {
    var number = 0
}

extension DataAccessLayer {
    /// Opens the store of the server.
    static func openServer(at path: String) async throws -> DataAccessLayer {
        try await open(
            .sqlite(path), entities: Artist.self, Album.self, Track.self, HandledRequest.self,
            Revision.self)
    }

    /// Opens the store of the client, which also keeps what is to be sent.
    static func openClient(at path: String) async throws -> DataAccessLayer {
        try await open(
            .sqlite(path),
            entities: [Artist.self, Album.self, Track.self] + DataRequestEntities.all
        )
    }
}
#endif
