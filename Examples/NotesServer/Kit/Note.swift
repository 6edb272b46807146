#if Macros && Requests
import Foundation
import Hummingbird
import Skiathos

/// What the service keeps, and what it answers with.
@Entity struct Note: ResponseCodable, Equatable {
    var text = ""
    var createdAt = Date()
}

/// What a client sends to have a note made.
struct NewNote: Decodable {
    static let maximumLength = 10_000

    let text: String

    /// The text, if it is one that a note may have.
    func validText() throws -> String {
        guard !text.isEmpty, text.utf8.count <= Self.maximumLength, !text.utf8.contains(0) else {
            throw HTTPError(
                .badRequest,
                message:
                    "The text must have 1 to \(Self.maximumLength) bytes and no NUL character.")
        }
        return text
    }
}
#endif
