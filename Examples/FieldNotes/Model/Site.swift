#if Macros
import Skiathos

/// A place where somebody looks for birds.
@Entity struct Site {
    @Unique var name = ""

    var sightings: ToMany<Sighting> { ToMany(\.site, of: id) }
}
#endif
