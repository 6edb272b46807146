#if Macros && Requests
import Foundation
import Hummingbird
import Skiathos

/// What the service knows of a request.
struct NotesContext: RequestContext {
    var coreContext: CoreRequestContextStorage

    init(source: ApplicationRequestContextSource) { coreContext = .init(source: source) }

    var maxUploadSize: Int { 64 << 10 }

    var responseEncoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }

    /// The ID of the note in the path.
    var noteID: Note.ID {
        get throws {
            guard let number = parameters.get("id", as: Int64.self), number > 0 else {
                throw HTTPError(.badRequest, message: "The ID of a note is a positive number.")
            }
            return Note.ID(rawValue: number)
        }
    }
}

extension Request {
    /// How far a write has to have gone when it is answered; `nil` for the store's own level.
    var acknowledgement: Acknowledgement? {
        get throws {
            switch uri.queryParameters["acknowledge"] {
            case nil: nil
            case "committed": .committed
            case "durable": .durable
            default:
                throw HTTPError(
                    .badRequest, message: "acknowledge must be committed or durable.")
            }
        }
    }
}

extension DataAccessLayer {
    /// A queued write, unless too many are already queued: then it is refused at once.
    ///
    /// A `write` that is awaited would wait however long the line is.
    func writeUnlessCrowded<T: Sendable>(
        acknowledging level: Acknowledgement? = nil,
        _ body: @escaping @Sendable (WriteContext) throws -> T
    ) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            write(acknowledging: level, body) { continuation.resume(with: $0) }
        }
    }
}
#endif
