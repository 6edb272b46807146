package import Skiathos
import TestTools

/// A series of writes of which each is a function of its number alone, and with it the contents of
/// the store after it.
///
/// For any writer, and after any interruption: the write that finds number `n - 1` makes
/// number `n`. So the contents after a loss of power must be those after one of the writes, as
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
        var random = SeededNumbers(seed: seed &+ UInt64(number) &* 0x9E37_79B9)
        guard !isLight else {
            return Step(
                created: ["\(number)-0": "\(random.below(1_000))"], changed: [:], deleted: [],
                isExclusive: false)
        }
        func text() -> String {
            let length = [8, 60, 300, 2_500][random.below(4)]
            let letter = UInt8(97 + random.below(26))
            // From bytes at once: a repeated character is appended one by one.
            return "\(number)"
                + String(decoding: [UInt8](repeating: letter, count: length), as: UTF8.self)
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
        var lines = LedgerLines()
        return [""]
            + (0..<count).map { index in
                apply(index + 1, to: &lines)
                return lines.text
            }
    }

    /// The contents after the last of a number of writes alone.
    package func lastContents(after count: Int) -> String {
        var lines = LedgerLines()
        for index in 0..<count { apply(index + 1, to: &lines) }
        return lines.text
    }

    private func apply(_ number: Int, to lines: inout LedgerLines) {
        let step = step(number)
        for (id, text) in step.changed where lines.has(id) { lines.set(id, number, text) }
        for id in step.deleted { lines.remove(id) }
        for (id, text) in step.created { lines.set(id, number, text) }
        lines.set(Self.head, number, "")
    }

    /// The contents that a store shows, in the same form.
    package static func contents(of dal: DataAccessLayer) async throws -> String {
        let items: [Item] = try await dal.read { try Item.all(in: $0) }
        // Sorted here, since a store that shows an item twice must not look right.
        return items.sorted { $0.id.rawValue < $1.id.rawValue }
            .map { LedgerLines.line($0.id.rawValue, $0.sequence, $0.text) }.joined()
    }

    /// The number of the last write that a store shows.
    package static func number(in dal: DataAccessLayer) async throws -> Int {
        try await dal.read { try Item.find(Item.ID(rawValue: head), in: $0)?.sequence ?? 0 }
    }
}
