#if Macros && Requests
import Foundation

@testable import NotesServerKit

/// What the server has answered.
struct Answer {
    let status: Int
    private(set) var headers: [String: String] = [:]
    let body: Data

    /// Reads an answer to its end.
    ///
    /// - Parameter receive: Gives the next bytes, none at the end of the connection.
    init(_ receive: () throws -> Data) throws {
        var bytes = Data()
        func more() throws {
            let next = try receive()
            guard !next.isEmpty else {
                throw bytes.isEmpty ? Connection.Failure.unanswered : .torn
            }
            bytes += next
        }
        let blankLine = Data("\r\n\r\n".utf8)
        while bytes.firstRange(of: blankLine) == nil { try more() }
        guard let end = bytes.firstRange(of: blankLine) else { throw Connection.Failure.torn }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
            .components(separatedBy: "\r\n")
        guard let status = lines[0].firstMatch(of: /^HTTP\/1\.1 (\d{3})/), let code = Int(status.1)
        else { throw Connection.Failure.torn }
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
            headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        let length = headers["content-length"].flatMap { Int($0) } ?? 0
        while bytes.count < end.upperBound + length { try more() }
        self.status = code
        body = bytes[end.upperBound...]
    }

    /// The note that the body holds.
    func note() throws -> Note { try JSONDecoder.ofAnswers.decode(Note.self, from: body) }

    /// The notes that the body holds.
    func notes() throws -> [Note] { try JSONDecoder.ofAnswers.decode([Note].self, from: body) }

    /// The sentence of an error.
    func message() throws -> String {
        struct Body: Decodable {
            struct Failure: Decodable {
                let message: String
            }
            let error: Failure
        }
        return try JSONDecoder().decode(Body.self, from: body).error.message
    }
}

extension JSONDecoder {
    /// Understands the server's answers.
    static var ofAnswers: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }
}
#endif
