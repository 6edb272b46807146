#if Macros
import Foundation
import Skiathos

/// What the shop sells: one track of an album.
@Entity struct Track {
    @Searchable var name = ""
    @References(onDelete: .cascade) var album: Album.ID = .unassigned
    @References(onDelete: .deny) var mediaType: MediaType.ID = .unassigned
    @References(onDelete: .nullify) var genre: Genre.ID?
    @Indexed var composer: String?
    var milliseconds = 0
    var bytes = 0
    var unitPrice = Decimal(0)

    var invoiceLines: ToMany<InvoiceLine> { ToMany(\.track, of: id) }
    var playlists: ManyToMany<Playlist, PlaylistTrack> { ManyToMany(\.track, \.playlist, of: id) }
}
#endif
