#if Macros && Hummingbird
import Hummingbird
import Skiathos
import SkiathosHummingbird

/// The routes of the cards.
///
/// Each can be repeated: a page that got no answer sends a change again.
struct BoardController: Sendable {
    let dal: DataAccessLayer
    let events: ServerSentEventOptions

    func addRoutes(to router: Router<BoardContext>) {
        router.group("cards")
            .get(use: all)
            .get("events", use: follow)
            .put(":id", use: add)
            .patch(":id", use: change)
            .delete(":id", use: delete)
    }

    /// The cards in the order of their columns.
    private static let board = Card.order { $0.rank }

    /// The route `GET /cards`.
    @Sendable private func all(_: Request, _: BoardContext) async throws -> [Card] {
        try await dal.read { try Self.board.all(in: $0) }
    }

    /// The route `GET /cards/events`: all cards, and then each difference.
    @Sendable private func follow(_ request: Request, _ context: BoardContext) -> Response {
        request.serverSentEvents(
            differencesOf: dal.observe(Self.board), options: events, context: context)
    }

    /// The route `PUT /cards/UUID`: adds a card, or finds the one that the same request has added.
    @Sendable private func add(
        _ request: Request, _ context: BoardContext
    ) async throws -> EditedResponse<Card> {
        let id = try context.cardID
        let new = try await context.decode(NewCard.self, from: request)
        let title = try Title.valid(new.title)
        let (card, isNew) = try await dal.write { context in
            if let card = try Card.find(id, in: context) { return (card.value, false) }
            guard try Card.count(in: context) < Card.limit else {
                throw HTTPError(
                    .conflict, message: "The board holds \(Card.limit) cards. Delete some first.")
            }
            let rank = try Card.rank(
                in: new.stage, before: new.before, without: id, in: context)
            let card = try Card.create(id: id, in: context) { card in
                card.title = title
                card.stage = new.stage
                card.rank = rank
            }
            return (card.value, true)
        }
        return EditedResponse(status: isNew ? .created : .ok, response: card)
    }

    /// The route `PATCH /cards/UUID`: another title, another place, or both.
    @Sendable private func change(
        _ request: Request, _ context: BoardContext
    ) async throws -> Card {
        let id = try context.cardID
        let change = try await context.decode(CardChange.self, from: request)
        let title = try change.title.map(Title.valid)
        return try await dal.write { context in
            guard let card = try Card.find(id, in: context) else { throw HTTPError.noSuchCard }
            if let title { card.title = title }
            if let stage = change.stage {
                card.rank = try Card.rank(
                    in: stage, before: change.before, without: id, in: context)
                card.stage = stage
            }
            return card.value
        }
    }

    /// The route `DELETE /cards/UUID`; a card that is gone already is no error.
    @Sendable private func delete(
        _: Request, _ context: BoardContext
    ) async throws -> HTTPResponse.Status {
        let id = try context.cardID
        try await dal.write { try Card.find(id, in: $0)?.delete() }
        return .noContent
    }
}
#endif
