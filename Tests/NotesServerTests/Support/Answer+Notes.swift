#if Macros && Requests
import Foundation
import ServerTestKit

@testable import NotesServerKit

extension Answer {
    /// The note that the body holds.
    func note() throws -> Note { try JSONDecoder.ofAnswers.decode(Note.self, from: body) }

    /// The notes that the body holds.
    func notes() throws -> [Note] { try JSONDecoder.ofAnswers.decode([Note].self, from: body) }
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
