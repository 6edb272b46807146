import Foundation
import GRDB
import ReliabilityKit
import SkiathosLocks
import SkiathosStore
import Synchronization
import TestSupport
import Testing

@testable import SkiathosCore
@testable import SkiathosSQLite

/// Twelve versions of a program, and every jump from one to a later one in one opening: what comes
/// out is what plain Swift carries from version to version, whatever interrupts it.
///
/// A third of the jumps is interrupted, at one place; `TIMES=1000` interrupts all of them everywhere.
@Suite(.seeded) struct MatrixTests {
    private static let points = Rounds.of(1)

    /// The versions to which stores jump.
    private static let targets = Array(2...12)

    /// Some of the versions from which stores jump to one.
    private static func starts(
        to target: Int, using random: inout SeededNumbers
    ) -> ArraySlice<Int> {
        (1..<target).shuffled(using: &random).prefix(max(1, (target - 1) / Rounds.step(3)))
    }

    /// A filled store of each version, made by going from each to the next, and what is in it.
    private static let bases: Result<[(model: PlainModel, store: StoreImage)], any Error> = Result {
        var model = PlainModel()
        let harness = try MigrationHarness()
        var bases: [(PlainModel, StoreImage)] = []
        for program in Program.all.dropLast() {
            if program.number > 1 { model.advance() }
            try harness.open(harness.opener(program))
            try harness.execute(program.number == 1 ? model.filling : [])
            try harness.execute(model.create())
            bases.append((model, try harness.image()))
        }
        return bases
    }

    @Test(arguments: targets)
    func `a jump from any version carries what plain Swift carries`(to target: Int) throws {
        let bases = try Self.bases.get()
        let program = Program.all[target - 1]
        for start in 1..<target {
            var (model, store) = bases[start - 1]
            while model.version < target { model.advance() }
            let harness = try MigrationHarness(store)
            try harness.open(harness.opener(program))
            let differences = try harness.differences(from: model, of: program)
            #expect(differences.isEmpty, "\(start) → \(target): \(differences.first ?? "")")
            let plan = try harness.opener(program).plan()
            #expect(plan.isEmpty, "\(start) → \(target): \(plan)")
        }
    }

    @Test(arguments: targets)
    func `a jump that is killed at any statement leaves the old store or the new one`(
        to target: Int
    ) throws {
        let bases = try Self.bases.get()
        let program = Program.all[target - 1]
        var random = SeededNumbers(seed: Seed.current &+ UInt64(target))
        var counts = (statements: 0, images: 0, old: 0, new: 0)
        let starts = Self.starts(to: target, using: &random)
        for start in starts {
            let base = bases[start - 1].store
            let old = try MigrationHarness(base).dump()
            let whole = try MigrationHarness(base)
            let camera = Camera(whole)
            var opener = try whole.opener(program)
            opener.onMigrationStatement = camera.witness
            try whole.touch(opener)
            let (statements, images) = camera.result
            let new = try whole.dump()
            counts.statements += statements
            counts.images += images.count
            // The last ones are those of the commit.
            let chosen = images.indices.filter { number in
                number >= images.count - 2 || Self.points >= images.count
                    || Int.random(in: 0..<images.count, using: &random) < Self.points
            }
            for number in chosen {
                let place = "\(start) → \(target), image \(number)"
                let harness = try MigrationHarness(images[number])
                let left = try harness.dump()
                if left == old { counts.old += 1 } else { counts.new += 1 }
                #expect(left == old || left == new, "\(place)")
                try harness.touch(harness.opener(program))
                let finished = try harness.dump()
                #expect(finished == new, "\(place)")
            }
        }
        print("to \(target): \(counts)")
        #expect(counts.old >= starts.count)
    }

    @Test(arguments: targets)
    func `a jump that fails at any statement leaves the old store`(to target: Int) throws {
        let bases = try Self.bases.get()
        let program = Program.all[target - 1]
        var random = SeededNumbers(seed: Seed.current &- UInt64(target))
        for start in Self.starts(to: target, using: &random) {
            let base = bases[start - 1].store
            let old = try MigrationHarness(base).dump()
            let whole = try MigrationHarness(base)
            let counter = StatementCounter()
            var opener = try whole.opener(program)
            opener.onMigrationStatement = counter.witness
            try whole.touch(opener)
            let new = try whole.dump()
            // The last statement comes after the commit.
            let all = Array(0..<counter.statements - 1)
            for point in all.shuffled(using: &random).prefix(Self.points) {
                let place = "\(start) → \(target), statement \(point)"
                let harness = try MigrationHarness(base)
                var opener = try harness.opener(program)
                opener.onMigrationStatement = StatementCounter(interruptingAt: point).witness
                #expect(throws: StatementCounter.Interruption.self, "\(place)") {
                    _ = try opener.open()
                }
                let left = try harness.dump()
                #expect(left == old, "\(place)")
                try harness.touch(harness.opener(program))
                let finished = try harness.dump()
                #expect(finished == new, "\(place)")
            }
        }
    }
}

/// The files of a store as a process leaves them that is killed.
struct StoreImage: Sendable, Equatable {
    var main: Data
    var wal: Data?
}

/// Takes the images of a store before each statement, as far as they differ.
private final class Camera: Sendable {
    private let file: String
    private let images = Lock<(statements: Int, images: [StoreImage])>((0, []))

    init(_ harness: MigrationHarness) { file = harness.directory.file() }

    func witness(_ sql: String) throws {
        let image = try StoreImage(file)
        images.withLock { found in
            found.statements += 1
            if found.images.last != image { found.images.append(image) }
        }
    }

    var result: (statements: Int, images: [StoreImage]) { images.withLock { $0 } }
}

extension StoreImage {
    init(_ file: String) throws {
        main = try Data(contentsOf: URL(fileURLWithPath: file))
        wal = try? Data(contentsOf: URL(fileURLWithPath: file + "-wal"))
    }
}

extension MigrationHarness {
    init(_ image: StoreImage) throws {
        try self.init(image.main)
        try image.wal?.write(to: URL(fileURLWithPath: directory.file() + "-wal"))
    }

    func image() throws -> StoreImage { try StoreImage(directory.file()) }

    func opener(_ program: Program) throws -> StoreOpener {
        try opener(
            program.entities.map { $0.schemaWithDefaults },
            // So few pages in memory that the WAL is written long before the commit.
            StoreOptions(
                readerCount: 1, cacheSize: 32 << 10,
                migrations: program.steps.map(\.storeMigration)))
    }

    /// What the store holds, and the model does not, or the reverse.
    func differences(from model: PlainModel, of program: Program) throws -> [String] {
        try DatabaseQueue(path: directory.file()).read { database in
            try program.forms.flatMap { form in
                let names = (["id"] + form.columns.map(\.name)).joined(separator: ", ")
                let found = try Row.fetchAll(
                    database, sql: "SELECT \(names) FROM \(form.table) ORDER BY id"
                ).map { row in Array(row.databaseValues.map(StoreValue.init)) }
                let expected = model.rows(form)
                guard found != expected else { return [String]() }
                let pairs = zip(found, expected).filter { $0 != $1 }.map { found, expected in
                    "\(form.table) (\(names)): \(found), and not \(expected)"
                }
                return found.count == expected.count
                    ? pairs
                    : ["\(form.table): \(found.count) rows, and not \(expected.count)"] + pairs
            }
        }
    }
}

extension StoreValue {
    init(_ value: DatabaseValue) {
        switch value.storage {
        case .null: self = .null
        case .int64(let value): self = .integer(value)
        case .double(let value): self = .real(value)
        case .string(let value): self = .text(value)
        case .blob(let value): self = .blob(Array(value))
        }
    }
}
