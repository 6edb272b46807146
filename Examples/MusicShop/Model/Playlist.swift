#if Macros
import Skiathos

/// A list of tracks; several may have the same name.
@Entity struct Playlist {
    var name = ""

    var tracks: ManyToMany<Track, PlaylistTrack> { ManyToMany(\.playlist, \.track, of: id) }
}

/// The link between a playlist and a track, of which there is at most one.
@Entity struct PlaylistTrack {
    @Unique(with: "track") @References(onDelete: .cascade)
    var playlist: Playlist.ID = .unassigned
    @References(onDelete: .cascade) var track: Track.ID = .unassigned
}
#endif
