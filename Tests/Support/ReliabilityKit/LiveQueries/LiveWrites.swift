import Skiathos
import TestTools

/// Random writes of lanes and cards: by objects, set-based, by delete rules and upserts, in nested
/// scopes, and such that fail.
struct LiveWrites {
    struct Refused: Error {}

    static let titles = ["", "a", "b", "é", "B"]

    private var random: SeededNumbers

    init(seed: UInt64) { random = SeededNumbers(seed: seed) }

    /// Changes something, or fails.
    mutating func change(_ context: WriteContext) throws {
        for _ in 0...random.below(3) { try step(context) }
        // Some writes look at their changes, and so have a transaction of their own.
        if random.happens(25) { _ = try Card.count(in: context) }
        if random.happens(8) { throw Refused() }
    }

    private mutating func step(_ context: WriteContext) throws {
        let title = Self.titles[random.below(Self.titles.count)]
        let rank = random.below(6)
        switch random.below(11) {
        case 0, 1, 2:
            let lane = try anyLane(context)
            let owner = try anyLane(context)
            try Card.create(in: context) {
                $0.title = title
                $0.rank = rank
                $0.lane = lane?.id
                $0.owner = owner?.id
            }
        case 3:
            var lane = Lane()
            lane.name = "\(title)\(rank)"
            try Lane.upsert(lane, by: \.name, in: context)
        case 4, 5:
            guard let card = try anyCard(context) else { return }
            card.rank = rank
            if random.happens(50) { card.title = title }
            if random.happens(30) { card.points = random.happens(30) ? nil : Double(rank) / 2 }
        case 6: try anyCard(context)?.delete()
        case 7:
            guard let lane = try anyLane(context) else { return }
            if random.happens(50) {
                try lane.delete()
            } else {
                lane.name = "\(title)\(rank + 10 * random.below(100))"
            }
        case 8:
            _ = try Card.update(
                where: { $0.rank == rank }, set: { [$0.title.set(to: title)] }, in: context)
        case 9:
            _ = try Card.deleteAll(where: { $0.rank == rank && $0.title == title }, in: context)
        default:
            let isRefused = random.happens(50)
            var inner = LiveWrites(seed: random.next())
            try? context.nested { context in
                try inner.step(context)
                if isRefused { throw Refused() }
            }
        }
    }

    private mutating func anyCard(_ context: WriteContext) throws -> Managed<Card>? {
        try Card.all(in: context).randomElement(using: &random)
    }

    private mutating func anyLane(_ context: WriteContext) throws -> Managed<Lane>? {
        try Lane.all(in: context).randomElement(using: &random)
    }
}
