#if Macros
import Skiathos

/// What was seen at a site; it goes when the site goes.
@Entity struct Sighting: Equatable {
    @References(onDelete: .cascade) var site: Site.ID = .unassigned
    @Indexed var species = ""
    var count = 1
    /// The day as `2026-05-01`, which sorts as it reads.
    var day = ""
    var remark = ""
}
#endif
