#if Macros
import Skiathos

/// A kind of music, or of film.
@Entity struct Genre {
    @Unique var name = ""

    var tracks: ToMany<Track> { ToMany(\.genre, of: id) }
}
#endif
