#if Macros
package import Skiathos

/// What was seen at a site; it goes when the site goes.
@Entity package struct Sighting: Equatable {
    @References(onDelete: .cascade) package var site: Site.ID = .unassigned
    @Indexed package var species = ""
    package var count = 1
    /// The day as `2026-05-01`, which sorts as it reads.
    package var day = ""
    package var remark = ""
}
#endif
