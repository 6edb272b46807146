#if Macros
import Foundation

/// What a file of the shop holds, table by table.
struct ShopFile: Decodable, Sendable {
    let genre: [GenreRecord]
    let mediaType: [MediaTypeRecord]
    let artist: [ArtistRecord]
    let album: [AlbumRecord]
    let track: [TrackRecord]
    let employee: [EmployeeRecord]
    let customer: [CustomerRecord]
    let invoice: [InvoiceRecord]
    let invoiceLine: [InvoiceLineRecord]
    let playlist: [PlaylistRecord]
    let playlistTrack: [PlaylistTrackRecord]

    /// The number of all records.
    var count: Int {
        genre.count + mediaType.count + artist.count + album.count + track.count + employee.count
            + customer.count + invoice.count + invoiceLine.count + playlist.count
            + playlistTrack.count
    }
}

extension ShopFile {
    /// The file that belongs to the example.
    static var bundled: String {
        Bundle.module.path(forResource: "chinook", ofType: "json") ?? "chinook.json"
    }

    /// Reads a file.
    static func read(_ path: String) throws -> ShopFile {
        guard FileManager.default.fileExists(atPath: path) else {
            throw ShopFileProblem("There is no file \"\(path)\".")
        }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ShopFileProblem("The file \"\(path)\" cannot be read.")
        }
        do {
            return try decoder.decode(ShopFile.self, from: data)
        } catch let error as DecodingError {
            throw ShopFileProblem("The file \"\(path)\" cannot be used: \(error.sentence)")
        }
    }

    private static var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        // The file writes TrackId where Swift writes trackId.
        decoder.keyDecodingStrategy = .custom { path in
            let name = path.last?.stringValue ?? ""
            return FileKey(name.prefix(1).lowercased() + name.dropFirst())
        }
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            // The file names no time zone; for the shop all times are universal.
            let text = try container.decode(String.self) + "Z"
            guard let date = try? Date(text, strategy: .iso8601) else {
                throw DecodingError.dataCorruptedError(
                    in: container, debugDescription: "not a date such as 2021-12-31T00:00:00")
            }
            return date
        }
        return decoder
    }
}

/// A name in the file.
private struct FileKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }

    init?(stringValue: String) { self.init(stringValue) }

    init?(intValue: Int) { nil }
}
#endif
