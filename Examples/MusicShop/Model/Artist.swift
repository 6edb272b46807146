#if Macros
import Skiathos

/// A band, a singer, an orchestra, or another maker of albums.
@Entity struct Artist {
    @Searchable @Indexed var name = ""

    var albums: ToMany<Album> { ToMany(\.artist, of: id).order { $0.title.ascending } }
}
#endif
