#if Macros
import Skiathos

/// An album; it goes when its artist goes.
@Entity struct Album {
    @Searchable var title = ""
    @References(onDelete: .cascade) var artist: Artist.ID = .unassigned

    var tracks: ToMany<Track> { ToMany(\.album, of: id) }
}
#endif
