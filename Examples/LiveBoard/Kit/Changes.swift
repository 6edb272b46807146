#if Macros && Hummingbird
import Foundation
import Hummingbird
import Skiathos

/// What a page sends to add a card.
struct NewCard: Decodable {
    let title: String
    let stage: Stage
    let before: Card.ID?
}

/// What a page sends to change a card: its title, its place, or both.
struct CardChange: Decodable {
    let title: String?
    let stage: Stage?
    let before: Card.ID?
}

/// The texts that a card may have.
enum Title {
    static let maximumLength = 200

    /// The text without spaces around it.
    static func valid(_ text: String) throws -> String {
        let text = text.trimmingCharacters(in: .whitespaces)
        guard !text.isEmpty, text.unicodeScalars.count <= maximumLength else {
            throw HTTPError(
                .badRequest,
                message: "A title must have 1 to \(maximumLength) characters.")
        }
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else {
            throw HTTPError(
                .badRequest,
                message: "A title must be one line, without control characters.")
        }
        return text
    }
}

/// What the server knows of a request.
struct BoardContext: RequestContext {
    var coreContext: CoreRequestContextStorage

    init(source: ApplicationRequestContextSource) { coreContext = .init(source: source) }

    var maxUploadSize: Int { 16 << 10 }

    /// The same form as that of the stream.
    var responseEncoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }

    /// The ID of the card in the path.
    var cardID: Card.ID {
        get throws {
            guard let id = parameters.get("id").flatMap({ UUID(uuidString: $0) }) else {
                throw HTTPError(.badRequest, message: "The ID of a card is a UUID.")
            }
            return Card.ID(rawValue: id)
        }
    }

    /// The body of a request, as one that another site cannot send without asking first.
    func decode<Body: Decodable>(_ type: Body.Type, from request: Request) async throws -> Body {
        guard let type = request.headers[.contentType], type.hasPrefix("application/json") else {
            throw HTTPError(
                .unsupportedMediaType, message: "The content type must be application/json.")
        }
        do {
            return try await request.decode(as: Body.self, context: self)
        } catch let error as HTTPError where error.status == .badRequest {
            throw HTTPError(
                .badRequest,
                message:
                    "The body must be JSON with a title, a stage (todo, doing or done), and before, the ID of a card."
            )
        }
    }
}
#endif
