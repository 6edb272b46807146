#if Macros
package import Skiathos

/// A place for watching birds.
@Entity package struct Site {
    @Unique package var name = ""

    package var sightings: ToMany<Sighting> { ToMany(\.site, of: id) }
}
#endif
