#if Macros
import SwiftCSV

/// One record of a CSV file and the line on which it begins.
struct Record {
    let line: Int
    let text: Substring

    /// Cuts a text into records: lines, except that a line break inside quotes belongs to its
    /// field.
    ///
    /// The library reads whole files only and gives up at the first mistake, so each record is
    /// given to it alone, and a bad one is known by its line.
    static func all(in text: String) -> [Record] {
        var records: [Record] = []
        var line = 1
        var start = text.utf8.startIndex
        var startLine = 1
        var isQuoted = false
        for index in text.utf8.indices {
            switch text.utf8[index] {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: "\n"):
                line += 1
                guard !isQuoted else { continue }
                records.append(Record(line: startLine, text: text[start..<index]))
                start = text.utf8.index(after: index)
                startLine = line
            default: break
            }
        }
        if start < text.utf8.endIndex {
            records.append(Record(line: startLine, text: text[start...]))
        }
        return records.filter { !$0.text.allSatisfy(\.isWhitespace) }
    }

    /// The fields of the record.
    func fields() throws -> [String] {
        var text = String(text)
        if text.unicodeScalars.last == "\r" { text.unicodeScalars.removeLast() }
        return try EnumeratedCSV(string: text, delimiter: .comma, loadColumns: false).header
    }
}

/// A city as a record describes it.
struct CityRecord: Sendable {
    let number: Int64
    let name: String
    let country: String
    let region: String

    /// Reads a record of the form `name,country,subcountry,geonameid`.
    init(_ record: Record) throws(BadRecord) {
        let fields: [String]
        do {
            fields = try record.fields()
        } catch {
            throw BadRecord(line: record.line, reason: "the quotes do not match")
        }
        guard fields.count == 4 else {
            throw BadRecord(line: record.line, reason: "expected 4 fields, found \(fields.count)")
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

/// A record that was left out, and why.
struct BadRecord: Error, CustomStringConvertible {
    let line: Int
    let reason: String

    var description: String { "line \(line): \(reason)" }
}
#endif
