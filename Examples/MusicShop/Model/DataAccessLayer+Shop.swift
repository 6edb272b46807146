#if Macros
import Skiathos

extension DataAccessLayer {
    /// Opens the store of the shop, which is made if there is none.
    static func openShop(at path: String) async throws -> DataAccessLayer {
        try await open(
            .sqlite(path), entities: Genre.self, MediaType.self, Artist.self, Album.self,
            Track.self, Employee.self, Customer.self, Invoice.self, InvoiceLine.self,
            Playlist.self, PlaylistTrack.self)
    }
}
#endif
