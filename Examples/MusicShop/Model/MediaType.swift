#if Macros
import Skiathos

/// How a track is encoded; none can go while a track is.
@Entity struct MediaType {
    @Unique var name = ""

    var tracks: ToMany<Track> { ToMany(\.mediaType, of: id) }
}
#endif
