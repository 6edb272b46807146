package import Foundation

/// What a server has answered.
package struct Answer {
    package let status: Int
    package private(set) var headers: [String: String] = [:]
    package let body: Data

    /// Reads an answer to its end.
    ///
    /// - Parameter receive: Gives the next bytes, none at the end of the connection.
    package init(_ receive: () throws -> Data) throws {
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

    /// The sentence of an error.
    package func message() throws -> String {
        struct Body: Decodable {
            struct Failure: Decodable {
                let message: String
            }
            let error: Failure
        }
        return try JSONDecoder().decode(Body.self, from: body).error.message
    }
}
