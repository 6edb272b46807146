#if Macros
import SwiftCSV

/// One record of a CSV file and the line on which it begins.
struct Record {
    let line: Int
    let text: String

    /// Cuts a text into records: lines, except that a line break inside quotes belongs to its
    /// field.
    ///
    /// The library reads whole files only and gives up at the first mistake, so each record is
    /// given to it alone, and a bad one is known by its line.
    static func all(in text: String) -> [Record] {
        var records: [Record] = []
        var line = 1
        var rest = text.utf8[...]
        while !rest.isEmpty {
            let record = rest[..<end(of: rest)]
            records.append(Record(line: line, text: String(Substring(record))))
            line += 1 + record.count { $0 == newline }
            rest = rest[record.endIndex...].dropFirst()
        }
        return records.filter { !$0.text.allSatisfy(\.isWhitespace) }
    }

    /// The fields of the record.
    func fields() throws -> [String] {
        var text = text
        if text.unicodeScalars.last == "\r" { text.unicodeScalars.removeLast() }
        return try EnumeratedCSV(string: text, delimiter: .comma, loadColumns: false).header
    }
}

private let newline = UInt8(ascii: "\n")
private let quote = UInt8(ascii: "\"")

/// Where in a field a byte stands.
private enum Place {
    case start, plain, quoted, afterQuote
}

/// The end of the first record of a text.
///
/// A record whose quotes do not match ends with its first line, so that it takes no good ones with
/// it.
private func end(of text: Substring.UTF8View) -> Substring.UTF8View.Index {
    var place = Place.start
    var firstBreak: Substring.UTF8View.Index?
    for index in text.indices {
        switch (place, text[index]) {
        case (.quoted, quote): place = .afterQuote
        case (.quoted, newline): firstBreak = firstBreak ?? index
        case (.quoted, _): break
        case (_, newline): return index
        case (_, UInt8(ascii: ",")): place = .start
        case (.start, quote), (.afterQuote, quote): place = .quoted
        case (.start, UInt8(ascii: " ")), (.afterQuote, UInt8(ascii: " ")): break
        case (.afterQuote, UInt8(ascii: "\r")): break
        case (.afterQuote, _):
            if let firstBreak { return firstBreak }
            place = .plain
        case (.start, _), (.plain, _): place = .plain
        }
    }
    return place == .quoted ? firstBreak ?? text.endIndex : text.endIndex
}
#endif
