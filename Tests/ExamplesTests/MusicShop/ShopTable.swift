#if Macros
import Foundation
import GRDB

/// A table of the shop, in the file and in the store.
struct ShopTable: Sendable {
    /// The name in the store.
    let name: String
    /// The name in the file.
    let fileName: String
    /// The columns that have other names in the file than in the store, by those in the store.
    let names: [String: String]

    private init(_ fileName: String, _ names: [String: String] = [:]) {
        self.fileName = fileName
        name = fileName.prefix(1).lowercased() + fileName.dropFirst()
        self.names = names.merging(["id": fileName + "Id"]) { own, _ in own }
    }

    static let all = [
        ShopTable("Genre"), ShopTable("MediaType"), ShopTable("Artist"),
        ShopTable("Album", ["artist": "ArtistId"]),
        ShopTable(
            "Track", ["album": "AlbumId", "mediaType": "MediaTypeId", "genre": "GenreId"]),
        ShopTable("Employee"), ShopTable("Customer", ["supportRep": "SupportRepId"]),
        ShopTable("Invoice", ["customer": "CustomerId", "date": "InvoiceDate"]),
        ShopTable("InvoiceLine", ["invoice": "InvoiceId", "track": "TrackId"]),
        ShopTable("Playlist"),
        ShopTable("PlaylistTrack", ["playlist": "PlaylistId", "track": "TrackId", "id": ""]),
    ]

    /// The rows of the file as the store should have them.
    func expected(_ file: [String: Any], _ columns: [String]) -> [[String: DatabaseValue]] {
        let records = file[fileName] as? [[String: Any]] ?? []
        return records.map { record in
            Dictionary(uniqueKeysWithValues: columns.map { ($0, value(of: $0, in: record)) })
        }
    }

    private func value(of column: String, in record: [String: Any]) -> DatabaseValue {
        let key = names[column] ?? column.prefix(1).uppercased() + column.dropFirst()
        switch record[key] {
        case let text as String where text.isEmpty: return .null
        case let text as String where column.lowercased().hasSuffix("date"):
            let date = try? Date(text + "Z", strategy: .iso8601)
            return (date?.timeIntervalSinceReferenceDate).databaseValue
        case let text as String: return text.databaseValue
        case let number as NSNumber:
            let isMoney = ["unitPrice", "total"].contains(column)
            return isMoney ? number.stringValue.databaseValue : number.int64Value.databaseValue
        default: return .null
        }
    }
}

extension Optional where Wrapped == Double {
    fileprivate var databaseValue: DatabaseValue { self?.databaseValue ?? .null }
}
#endif
