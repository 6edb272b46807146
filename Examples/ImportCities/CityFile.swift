#if Macros
import Foundation

/// What a CSV file of cities holds.
struct CityFile {
    /// What the good records say, in their order.
    private(set) var cities: [CityRecord] = []
    /// The records that are left out.
    private(set) var bad: [BadRecord] = []
    /// Tells this content from any other, whatever the file is called.
    let fingerprint: String

    /// Reads a file.
    init(path: String) throws {
        guard FileManager.default.fileExists(atPath: path) else {
            throw FileProblem("There is no file \"\(path)\".")
        }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw FileProblem("The file \"\(path)\" cannot be read.")
        }
        guard var text = String(data: data, encoding: .utf8) else {
            throw FileProblem("The file \"\(path)\" is not text in UTF-8.")
        }
        fingerprint = "\(hash(data))-\(data.count)"
        // Some programs begin their files with the byte order mark.
        if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
        let records = Record.all(in: text)
        guard try records.first?.fields() == CityRecord.columns else {
            let columns = CityRecord.columns.joined(separator: ",")
            throw FileProblem("The file \"\(path)\" does not begin with the line \(columns).")
        }
        for record in records.dropFirst() {
            do {
                cities.append(try CityRecord(record))
            } catch {
                bad.append(error)
            }
        }
    }
}

/// A city as a record describes it.
struct CityRecord: Sendable {
    static let columns = ["name", "country", "subcountry", "geonameid"]

    let number: Int64
    let name: String
    let country: String
    let region: String

    /// Reads the fields of a record, which come in the order of the columns.
    init(_ record: Record) throws(BadRecord) {
        let fields: [String]
        do {
            // The store compares texts by their scalars, so what looks the same has to be the same.
            fields = try record.fields().map(\.precomposedStringWithCanonicalMapping)
        } catch {
            throw BadRecord(line: record.line, reason: "the quotes do not match")
        }
        guard fields.count == Self.columns.count else {
            throw BadRecord(line: record.line, reason: "expected 4 fields, found \(fields.count)")
        }
        guard !fields.contains(where: { $0.utf8.contains(0) }) else {
            throw BadRecord(line: record.line, reason: "a field contains the NUL character")
        }
        guard !fields[0].isEmpty, !fields[1].isEmpty else {
            throw BadRecord(line: record.line, reason: "the city or the country has no name")
        }
        guard let number = Int64(fields[3]), number > 0 else {
            throw BadRecord(line: record.line, reason: "geonameid is not a positive number")
        }
        (name, country, region, self.number) = (fields[0], fields[1], fields[2], number)
    }
}

/// A record that is left out, and why.
struct BadRecord: Error, CustomStringConvertible {
    let line: Int
    let reason: String

    var description: String { "line \(line): \(reason)" }
}

/// A file that cannot be imported at all, and why.
struct FileProblem: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// The 64-bit hash of Fowler, Noll and Vo, which is the same in every process.
private func hash(_ data: Data) -> UInt64 {
    data.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
}
#endif
