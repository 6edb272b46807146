package import Skiathos

/// A series of writes of which each is a function of its number alone, and with it the contents of
/// the store after it.
///
/// Whoever writes, and after whatever interruption: the write that finds number `n - 1` makes
/// number `n`. So what is found after a loss of power must be the contents after one of them, as
/// a whole.
package struct Ledger: Sendable {
    /// What decides about all writes.
    package let seed: UInt64
    /// Whether each write creates one small item and does nothing else, so that many can wait.
    package let isLight: Bool
    /// How many writes later the items of a write go.
    private static let lifetime = 30
    /// The item that holds the number of the last write.
    private static let head = "head"

    package init(seed: UInt64, isLight: Bool = false) {
        self.seed = seed
        self.isLight = isLight
    }

    /// What one write does.
    private struct Step {
        var created: [String: String]
        var changed: [String: String]
        var deleted: [String]
        /// Whether the write asks for something after its changes, and so has a transaction of its
        /// own.
        var isExclusive: Bool
    }

    private func step(_ number: Int) -> Step {
        var random = SplitMix(seed: seed &+ UInt64(number) &* 0x9E37_79B9)
        guard !isLight else {
            return Step(
                created: ["\(number)-0": "\(random.below(1_000))"], changed: [:], deleted: [],
                isExclusive: false)
        }
        func text() -> String {
            let length = [8, 60, 300, 2_500][random.below(4)]
            let letter = Character(UnicodeScalar(UInt8(97 + random.below(26))))
            return "\(number)" + String(repeating: letter, count: length)
        }
        var created: [String: String] = [:]
        for part in 0...random.below(3) { created["\(number)-\(part)"] = text() }
        var changed: [String: String] = [:]
        for _ in 0..<random.below(3) where number > 1 {
            changed["\(1 + random.below(number - 1))-0"] = text()
        }
        let deleted = (0..<3).map { "\(number - Self.lifetime)-\($0)" }
        for id in deleted { changed[id] = nil }
        return Step(
            created: created, changed: changed, deleted: deleted,
            isExclusive: random.happens(15))
    }

    /// Makes the next write and returns its number.
    package func write(in context: WriteContext) throws -> Int {
        let head = try Item.find(Item.ID(rawValue: Self.head), in: context)
        let number = (head?.sequence ?? 0) + 1
        let step = step(number)
        let changed = try step.changed.compactMap { id, text in
            try Item.find(Item.ID(rawValue: id), in: context).map { ($0, text) }
        }
        let deleted = try step.deleted.compactMap {
            try Item.find(Item.ID(rawValue: $0), in: context)
        }
        for (item, text) in changed {
            item.text = text
            item.sequence = number
        }
        for item in deleted { try item.delete() }
        for (id, text) in step.created {
            try Item.create(id: Item.ID(rawValue: id), in: context) {
                $0.text = text
                $0.sequence = number
            }
        }
        if step.isExclusive { _ = try Item.count(in: context) }
        if let head {
            head.sequence = number
        } else {
            try Item.create(id: Item.ID(rawValue: Self.head), in: context) {
                $0.sequence = number
            }
        }
        return number
    }

    /// Asks whether the file is sound, for the number of the last write, and for all contents.
    static let query = """
        PRAGMA integrity_check;
        SELECT coalesce(max(sequence), 0) FROM item WHERE id = 'head';
        SELECT id || ' ' || sequence || ' ' || text FROM item ORDER BY id;
        """

    /// The contents after each of a number of writes, in the form of ``query``'s answer.
    package func contents(after count: Int) -> [String] {
        var items: [String: (sequence: Int, text: String)] = [:]
        return [""]
            + (0..<count).map { index in
                apply(index + 1, to: &items)
                return Self.text(of: items.map { ($0, $1.sequence, $1.text) })
            }
    }

    /// The contents after the last of a number of writes alone.
    package func lastContents(after count: Int) -> String {
        var items: [String: (sequence: Int, text: String)] = [:]
        for index in 0..<count { apply(index + 1, to: &items) }
        return Self.text(of: items.map { ($0, $1.sequence, $1.text) })
    }

    private func apply(_ number: Int, to items: inout [String: (sequence: Int, text: String)]) {
        let step = step(number)
        for (id, text) in step.changed where items[id] != nil { items[id] = (number, text) }
        for id in step.deleted { items[id] = nil }
        for (id, text) in step.created { items[id] = (number, text) }
        items[Self.head] = (number, "")
    }

    /// The contents that a store shows, in the same form.
    package static func contents(of dal: DataAccessLayer) async throws -> String {
        let items: [Item] = try await dal.read { try Item.all(in: $0) }
        return text(of: items.map { ($0.id.rawValue, $0.sequence, $0.text) })
    }

    /// The number of the last write that a store shows.
    package static func number(in dal: DataAccessLayer) async throws -> Int {
        try await dal.read { try Item.find(Item.ID(rawValue: head), in: $0)?.sequence ?? 0 }
    }

    private static func text(of items: [(String, Int, String)]) -> String {
        items.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
            .map { "\($0.0) \($0.1) \($0.2)\n" }.joined()
    }
}
