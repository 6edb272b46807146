import Skiathos
import Testing

/// A way to make a query as long, or as deep, as one likes.
struct LongWay: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Whether it works at every length; otherwise it may be refused as too complex.
    let isAlwaysPossible: Bool
    /// The longest length that is tried of a way that is always possible.
    var longest = 2_000
    /// The lengths that are tried of a way that is not always possible.
    var lengths =
        [
            2, 3, 4, 5, 8, 9, 14, 20, 28, 29, 30, 31, 32, 33, 60, 86, 87, 88, 89, 90, 91, 92, 130,
            20_000,
        ]
    /// The query with a number of parts.
    let query: @Sendable (Int) -> Query<Peg>
    /// Whether the query with a number of parts selects the peg with a number.
    let selects: @Sendable (_ length: Int, _ number: Int) -> Bool

    init(
        _ name: String, always: Bool = false,
        selects: @escaping @Sendable (_ length: Int, _ number: Int) -> Bool = { _, _ in true },
        _ query: @escaping @Sendable (Int) -> Query<Peg>
    ) {
        testDescription = name
        isAlwaysPossible = always
        self.selects = selects
        self.query = query
    }

    /// The lengths of a way that doubles a part: in between, it has hundred thousands of parts.
    private static let doublings = [2, 3, 8, 12, 20, 21, 130, 20_000]

    private func tried(upTo longest: Int) -> LongWay {
        var copy = self
        copy.longest = longest
        return copy
    }

    private func tried(_ lengths: [Int]) -> LongWay {
        var copy = self
        copy.lengths = lengths
        return copy
    }

    /// A condition that grows by each round of a loop.
    private static func growing<Part>(
        _ count: Int, _ first: (Peg.Columns) -> Part, _ next: (Part, Peg.Columns, Int) -> Part,
        _ condition: (Part, Peg.Columns) -> Condition<Peg>
    ) -> Query<Peg> {
        Peg.where { peg in
            var part = first(peg)
            for round in 1..<max(count, 2) { part = next(part, peg, round) }
            return condition(part, peg)
        }
    }

    private static func growing(
        _ count: Int, _ first: (Peg.Columns) -> Condition<Peg>,
        _ next: (Condition<Peg>, Peg.Columns, Int) -> Condition<Peg>
    ) -> Query<Peg> { growing(count, first, next) { made, _ in made } }

    private static func looped(
        _ count: Int, _ first: Query<Peg>, _ next: (Query<Peg>, Int) -> Query<Peg>
    ) -> Query<Peg> { (1..<count).reduce(first) { next($0, $1) } }

    private static let isBelow: @Sendable (Int, Int) -> Bool = { $1 < $0 }

    /// The ways that may have any number of parts.
    static let flat = [
        LongWay("|| to the left", always: true, selects: isBelow) {
            growing($0, { $0.number == 0 }) { $0 || $1.number == $2 }
        }.tried(upTo: 100_000),
        LongWay("|| to the right", always: true, selects: isBelow) {
            growing($0, { $0.number == 0 }) { $1.number == $2 || $0 }
        }.tried(upTo: 10_000),
        LongWay("|| on both sides", always: true, selects: isBelow) {
            growing($0, { $0.number == 0 }) {
                $2 % 2 == 0 ? $1.number == $2 || $0 : $0 || $1.number == $2
            }
        },
        LongWay("&& to the left", always: true, selects: { $1 % 5 > 0 }) {
            growing($0, { $0.digit > 0 }) { $0 && $1.digit > -$2 }
        },
        LongWay("&& to the right", always: true, selects: { $1 % 5 > 0 }) {
            growing($0, { $0.digit > 0 }) { $1.digit > -$2 && $0 }
        },
        LongWay("long lists joined", always: true, selects: isBelow) { count in
            let all = (0..<count).map { Peg.columns.number == $0 }
            let halves = [all[..<(count / 2)], all[(count / 2)...]].map {
                $0.reduce(.never) { $0 || $1 }
            }
            return Peg.where { _ in halves[0] || halves[1] }
        },
        LongWay("where", always: true, selects: { $1 % 5 > 0 }) {
            looped($0, Peg.where { $0.digit > 0 }) { query, round in
                query.where { $0.digit > -round }
            }
        }.tried(upTo: 10_000),
        LongWay("or", always: true, selects: isBelow) {
            looped($0, Peg.where { $0.number == 0 }) { query, round in
                query.or(Peg.where { $0.number == round })
            }
        },
        LongWay("union", always: true, selects: isBelow) {
            looped($0, Peg.where { $0.number == 0 }) { query, round in
                query.union(Peg.where { $0.number == round })
            }
        },
        LongWay("intersection", always: true, selects: { $1 % 5 > 0 }) {
            looped($0, Peg.where { $0.digit > 0 }) { query, round in
                query.intersection(Peg.where { $0.digit > -round })
            }
        },
        LongWay("in", always: true, selects: isBelow) { count in
            Peg.where { $0.number.in(Array(0..<count)) }
        },
        LongWay("descends", always: true, selects: { $1 > 0 }) { count in
            Peg.where { $0.parent.descends(from: (1...count).map { Peg.ID(Int64($0)) }) }
        },
        LongWay("a long text", always: true, selects: { _, _ in false }) { count in
            Peg.where { $0.name.contains(String(repeating: "x", count: count)) }
        },
    ]

    /// The ways whose parts stand inside of each other.
    static let deep = [
        LongWay("|| and && in turn", selects: { $1 < $0 && $1 % 2 == 0 || $1 == 0 }) {
            growing($0, { $0.number == 0 }) {
                $2 % 2 == 0 ? $0 || $1.number == $2 : $0 && $1.digit >= 0
            }
        },
        LongWay("!", selects: { ($1 == 0) == ($0 % 2 == 1) }) {
            growing($0, { $0.number == 0 }) { made, _, _ in !made }
        },
        LongWay("+ of integers", selects: { $1 + $0 - 1 > 15 }) { count in
            growing(count, { $0.number + 0 }, { made, _, _ in made + 1 }) { made, _ in made > 15 }
        },
        LongWay("+ of floating point numbers", selects: { Double($1 + $0 - 1) > 15 }) { count in
            growing(count, { $0.weight + 0 }, { made, _, _ in made + 1 }) { made, _ in made > 15 }
        },
        LongWay("- to the right", selects: { ($0 % 2 == 1 ? $1 : 1 - $1) > 5 }) { count in
            growing(count, { $0.number + 0 }, { made, _, _ in 1 - made }) { made, _ in made > 5 }
        },
        LongWay("texts", selects: { $1 > 4 && $0 > 0 }) { count in
            growing(count, { $0.name + "" }, { made, _, _ in made + "y" }) { made, peg in
                peg.number > 4 && made != ""
            }
        },
        LongWay("??") { count in
            growing(count, { $0.number + 0 }, { $0.optional ?? $1.digit + $2 }) { made, _ in
                made >= 0
            }
        },
        LongWay("then", selects: { $1 > 4 && $0 > 0 }) { count in
            growing(count, { $0.number + 0 }, { made, peg, _ in (made > 4).then(made, else: 0) }) {
                made, _ in made > 4
            }
        },
        LongWay("a condition with itself", selects: { $1 == 0 && $0 > 0 }) {
            growing($0, { $0.number == 0 }) { made, _, _ in made || made }
        }.tried(doublings),
        LongWay("a sum with itself", selects: { $1 > 0 && $0 > 0 }) { count in
            growing(count, { $0.weight + 0 }, { made, _, _ in made + made }) { made, _ in made > 0 }
        }.tried(doublings),
        LongWay("a query in a query", selects: { $1 < 3 && $0 > 0 }) {
            looped($0, Peg.where { $0.number < 3 }) { query, _ in
                Peg.where { $0.id.in(query.select { $0.id }) }
            }
        },
        LongWay("first rows of first rows", selects: { $1 < 3 && $0 > 0 }) {
            looped($0, Peg.where { $0.number < 3 }) { query, _ in
                Peg.query.intersection(query.limit(3))
            }
        },
        LongWay("a value of a query", selects: { $1 >= ($0 > 1 ? Peg.count - 1 : 0) }) {
            looped($0, Peg.query) { query, _ in
                Peg.where { $0.number >= (query.value { $0.number.max } ?? 0) }
            }
        },
        LongWay("exists", selects: { $1 < Peg.count - $0 }) { Peg.where(hasDescendants($0)) },
        LongWay("matches", selects: { $1 >= $0 }) { Peg.where(hasAncestors($0)) },
    ]

    /// As many pegs stand below one another.
    private static func hasDescendants(_ count: Int) -> (Peg.Columns) -> Condition<Peg> {
        { count == 0 ? .always : $0.children.exists(where: hasDescendants(count - 1)) }
    }

    /// As many pegs stand above one another.
    private static func hasAncestors(_ count: Int) -> (Peg.Columns) -> Condition<Peg> {
        { count == 0 ? .always : $0.parent.matches(hasAncestors(count - 1)) }
    }
}
