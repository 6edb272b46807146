import Skiathos
import SkiathosLocks
import Synchronization
import TestTools

extension LiveProbe {
    /// Observes a random query in a random way.
    static func random(of dal: DataAccessLayer, _ random: inout SeededNumbers) -> LiveProbe {
        let rank = random.below(6)
        let title = LiveWrites.titles[random.below(LiveWrites.titles.count)]
        let id = Card.ID(rawValue: Int64(1 + random.below(8)))
        switch random.below(13) {
        case 0: return list(Card.where { $0.rank >= rank }, of: dal)
        case 1: return list(Card.where { $0.title == title }.order { $0.rank }, of: dal)
        case 2: return list(Card.order { $0.rank.descending }.limit(3), of: dal)
        case 3: return list(Card.where { $0.lane.name == "\(title)\(rank)" }, of: dal)
        case 4: return list(Card.where { $0.points == nil || $0.rank < rank }, of: dal)
        case 5: return row(id, of: dal)
        case 6:
            return value("count", of: dal) { try Card.count(where: { $0.rank == rank }, in: $0) }
        case 7:
            return value("sum", of: dal) { context in
                try Card.where { $0.title == title }.sum(of: { $0.rank }, in: context)
            }
        case 8: return closure(id, of: dal)
        case 9: return group(rank, of: dal)
        case 10: return differences(Card.order { $0.rank.descending }, of: dal)
        case 11:
            let query = Card.where { $0.rank >= rank && $0.title != title }
                .order { [$0.title.descending, $0.rank.ascending] }
            return differences(query, of: dal)
        default: return sections(of: dal)
        }
    }

    private static func list(_ query: Query<Card>, of dal: DataAccessLayer) -> LiveProbe {
        LiveProbe("list", { "\(try query.all(in: $0))" }, dal.observe(query)) { "\($0)" }
    }

    private static func row(_ id: Card.ID, of dal: DataAccessLayer) -> LiveProbe {
        LiveProbe("row", { "\(String(describing: try Card.find(id, in: $0)))" }, dal.observe(id)) {
            "\(String(describing: $0))"
        }
    }

    private static func value(
        _ name: String, of dal: DataAccessLayer,
        _ read: @escaping @Sendable (ReadContext) throws -> Int
    ) -> LiveProbe {
        LiveProbe(name, { "\(try read($0))" }, dal.observe(read)) { "\($0)" }
    }

    /// What is read depends on what was read before.
    private static func closure(_ id: Card.ID, of dal: DataAccessLayer) -> LiveProbe {
        let read: @Sendable (ReadContext) throws -> String = { context in
            guard let card = try Card.find(id, in: context) else { return "none" }
            guard let lane = card.lane else { return "\(card.rank)" }
            return try Lane.find(lane, in: context)?.name ?? "no lane"
        }
        return LiveProbe("closure", read, dal.observe(read)) { $0 }
    }

    /// Both sides of a condition, and the lanes, at one version.
    private static func group(_ rank: Int, of dal: DataAccessLayer) -> LiveProbe {
        let high = Card.where { $0.rank >= rank }
        let low = Card.where { $0.rank < rank }
        let lanes = Lane.order { $0.name }
        return LiveProbe(
            "group",
            { "\(try high.all(in: $0)) \(try low.all(in: $0)) \(try lanes.all(in: $0))" },
            dal.observe(high, low, lanes)
        ) { "\($0.0) \($0.1) \($0.2)" }
    }

    private static func differences(_ query: Query<Card>, of dal: DataAccessLayer) -> LiveProbe {
        let list = Lock<[Card]>([])
        return LiveProbe(
            "differences", { "\(try query.all(in: $0))" }, dal.observe(query).differences
        ) { difference in
            list.withLock { list in
                difference.apply(to: &list)
                return "\(list)"
            }
        }
    }

    private static func sections(of dal: DataAccessLayer) -> LiveProbe {
        let query = Card.order { [$0.title.ascending, $0.rank.ascending] }
        return LiveProbe(
            "sections",
            { context in
                var titles: [String] = []
                let rows = try query.all(in: context)
                for row in rows where titles.last != row.title { titles.append(row.title) }
                return "\(titles.map { title in rows.filter { $0.title == title } })"
            }, dal.observe(query).sections(by: \.title)
        ) { "\($0.map(\.rows))" }
    }
}
