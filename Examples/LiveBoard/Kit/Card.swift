#if Macros && Hummingbird
import Foundation
import Hummingbird
import Skiathos

/// The columns of the board, from left to right.
enum Stage: String, Codable, CaseIterable {
    case todo, doing, done
}

/// A task on the board.
///
/// Its ID is chosen by the page that adds it, so that adding can be repeated.
@Entity(id: UUID.self) struct Card: ResponseCodable, Equatable {
    var title = ""
    var stage: Stage = .todo
    /// The place in the column: smaller numbers stand further up.
    @Indexed var rank = 0
}

extension Card {
    /// How many cards the board holds.
    static let limit = 500

    /// The distance between two new neighbours, so that there is room for others.
    private static let step = 1 << 16

    /// The rank before another card of a column, or at its end if there is no such card any more.
    static func rank(
        in stage: Stage, before next: Card.ID?, without moved: Card.ID, in context: WriteContext
    ) throws -> Int {
        let cards = try Card.all(
            where: { $0.stage == stage }, orderedBy: { [$0.rank.ascending] }, in: context
        ).filter { $0.id != moved }
        let index = next.flatMap { id in cards.firstIndex { $0.id == id } } ?? cards.endIndex
        if let rank = rank(at: index, cards.map(\.rank)) { return rank }
        for (position, card) in cards.enumerated() { card.rank = position * step }
        return index * step - step / 2
    }

    /// A rank between those of two neighbours; `nil` if there is no number between them.
    private static func rank(at index: Int, _ ranks: [Int]) -> Int? {
        let before = index > 0 ? ranks[index - 1] : nil
        let after = index < ranks.count ? ranks[index] : nil
        switch (before, after) {
        case (nil, nil): return 0
        case (let before?, nil): return before + step
        case (nil, let after?): return after - step
        case (let before?, let after?):
            return after - before > 1 ? before + (after - before) / 2 : nil
        }
    }
}
#endif
