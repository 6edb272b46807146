import GRDB
import Skiathos
import SkiathosGRDB
import SkiathosTesting
import TestSupport
import Testing

/// Many objects of a write, whose rows are changed without them.
@Suite struct HeldObjectTests {
    @Test(arguments: Place.allCases, Seed.each(1, 2, 3, 4, 5))
    func `objects show what statements, rules and scopes that fail have made of their rows`(
        _ place: Place, _ seed: UInt64
    ) async throws {
        try await withSeed(seed) {
            try await withNotes(place) { dal in
                let differing = try await dal.write { context in
                    var run = HeldRun(context, seed)
                    return try run.run()
                }
                #expect(differing == [])
            }
        }
    }
}

/// Random changes of notes beside objects that hold them.
private struct HeldRun {
    private struct Undone: Error {}

    private let context: WriteContext
    private var numbers: SeededNumbers
    private var held: [Managed<Note>] = []

    init(_ context: WriteContext, _ seed: UInt64) {
        self.context = context
        numbers = SeededNumbers(seed: seed)
    }

    /// Returns a sentence for each object that differed from its row.
    mutating func run() throws -> [String] {
        for name in ["red", "green", "blue"] {
            try Tag.create(id: Tag.ID(rawValue: name), in: context)
        }
        for number in 0..<60 {
            let tag = randomTag()
            held.append(
                try Note.create(in: context) {
                    $0.text = "\(number)"
                    $0.tag = tag
                })
        }
        for step in 0..<120 {
            let action = try act()
            let differing = try differing()
            if !differing.isEmpty { return ["step \(step), \(action): \(differing)"] }
        }
        return []
    }

    private mutating func random(_ range: Range<Int>) -> Int {
        Int.random(in: range, using: &numbers)
    }

    private mutating func randomTag() -> Tag.ID? {
        ["red", "green", "blue", nil].randomElement(using: &numbers)?
            .map { Tag.ID(rawValue: $0) }
    }

    private mutating func act() throws -> String {
        let number = random(0..<60)
        switch random(0..<8) {
        case 0:
            try execute(#"UPDATE "note" SET "text" = "text" || 'r' WHERE "id" % 7 = ?"#, number % 7)
        case 1: try execute(#"DELETE FROM "note" WHERE "id" = ?"#, number)
        case 2:
            try execute(#"INSERT OR REPLACE INTO "note" ("id", "text") VALUES (?, 'new')"#, number)
        case 3:
            let id = Note.ID(rawValue: Int64(number))
            _ = try Note.update(
                where: { $0.id == id }, set: { $0.text.set(to: "set") }, in: context)
        case 4:
            if let tag = randomTag() {
                try Tag.find(tag, in: context)?.delete()
                _ = try Note.count(in: context)
                if try Tag.find(tag, in: context) == nil { try Tag.create(id: tag, in: context) }
            }
        case 5:
            for note in held where !note.isDeleted && random(0..<9) == 0 { note.text = "own" }
        case 6:
            held += try Note.order { $0.id }.limit(random(1..<60)).all(in: context)
        default:
            do {
                try context.nested { _ in
                    for _ in 0..<random(1..<4) { _ = try act() }
                    throw Undone()
                }
            } catch is Undone {}
            return "a scope that failed"
        }
        return "\(number)"
    }

    private func execute(_ sql: String, _ number: Int) throws {
        try context.sqlite { try $0.execute(sql: sql, arguments: [number]) }
    }

    private func differing() throws -> [Int64] {
        let notes = try context.sqlite { db in
            var notes: [Int64: [String?]] = [:]
            for row in try Row.fetchAll(db, sql: #"SELECT "id", "text", "tag" FROM "note""#) {
                notes[row["id"]] = [row["text"], row["tag"]]
            }
            return notes
        }
        return held.filter { note in
            let found = notes[note.id.rawValue]
            return note.isDeleted
                ? false : found == nil || found != [note.text, note.tag?.rawValue]
        }
        .map(\.id.rawValue)
    }
}
