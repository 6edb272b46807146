import Skiathos
import TestSupport

/// Walks of one write through twigs that its closures change in every way, beside the same in plain Swift.
///
/// Not `Sendable`: made and used inside the closure of the write.
final class WalkRun {
    private struct Ended: Error {}

    private let context: WriteContext
    private var numbers: SeededNumbers
    private var twigs = Twigs()
    /// The walks that a closure of a walk is inside of.
    private var depth = 0
    private var stepsLeft = 400
    /// The problems that were found.
    private(set) var problems: [String] = []
    /// How many rows were visited.
    private(set) var visits = 0

    init(_ context: WriteContext, seed: UInt64) {
        self.context = context
        numbers = SeededNumbers(seed: seed)
    }

    func run() throws {
        for _ in 0..<60 { try create() }
        while stepsLeft > 0, problems.isEmpty {
            while twigs.rows.count < 40 { try create() }
            stepsLeft -= 1
            try walk()
            try compare()
        }
    }

    private func random(_ range: Range<Int>) -> Int { Int.random(in: range, using: &numbers) }

    private func randomID() -> Int64? { twigs.ids.randomElement(using: &numbers) }

    /// Walks, and expects the rows of its beginning in their order, but for those deleted meanwhile.
    private func walk() throws {
        let query = TwigQuery(&numbers)
        var left = query.ids(in: twigs)[...]
        let (batchSize, most) = (random(1..<9), random(0..<4) == 0 ? random(0..<20) : .max)
        depth += 1
        defer { depth -= 1 }
        var count = 0
        do {
            try query.query.each(batchSize: batchSize, in: context) { twig in
                left = left.drop { self.twigs.rows[$0] == nil }
                let id = twig.id.rawValue
                guard let next = left.popFirst(), id == next, self.twigs.rows[id]?.age == twig.age
                else {
                    self.problems.append("\(query): \(id) came, with the age \(twig.age)")
                    throw Ended()
                }
                self.visits += 1
                count += 1
                if count > most { throw Ended() }
                try self.act(on: twig)
            }
        } catch is Ended {
            return
        }
        left = left.drop { twigs.rows[$0] == nil }
        if let missed = left.first { problems.append("\(query): \(missed) did not come") }
    }

    private func act(on twig: Managed<Twig>) throws {
        guard stepsLeft > 0 else { return }
        stepsLeft -= 1
        let id = twig.id.rawValue
        switch random(0..<14) {
        case 0, 1, 2: try setAge(of: twig, random(0..<40))
        case 3: try setAge(of: twig, twig.age + 1)
        case 4:
            try twig.delete()
            twigs.delete(id)
        case 5:
            guard let other = randomID() else { return }
            try Twig.find(Twig.ID(rawValue: other), in: context)?.delete()
            twigs.delete(other)
        case 6:
            let age = random(0..<40)
            _ = try Twig.deleteAll(where: { $0.age == age }, in: context)
            twigs.deleteAll { $0.age == age }
        case 7, 8: try create()
        case 9: try changeAges()
        case 10: try fail(around: twig)
        case 11 where depth < 3: try walk()
        case 12 where depth < 3: try context.nested { _ in try walk() }
        case 13:
            // A twig grows on an older one, so that none grows on itself.
            guard let other = randomID(), other < id, twigs.rows[id] != nil else { return }
            twig.parent = Twig.ID(rawValue: other)
            twigs.rows[id]?.parent = other
        default: break
        }
    }

    private func setAge(of twig: Managed<Twig>, _ age: Int) throws {
        twig.age = age
        twigs.rows[twig.id.rawValue]?.age = age
    }

    private func create() throws {
        let (age, parent) = (random(0..<40), random(0..<3) == 0 ? nil : randomID())
        let twig = try Twig.create(in: context) {
            $0.age = age
            $0.parent = parent.map { Twig.ID(rawValue: $0) }
        }
        twigs.rows[twig.id.rawValue] = Twigs.Row(age: age, parent: parent)
    }

    private func changeAges() throws {
        let remainder = random(0..<5)
        _ = try Twig.update(
            where: { $0.age % 5 == remainder }, set: { $0.age.add(1) }, in: context)
        for (id, row) in twigs.rows where row.age % 5 == remainder { twigs.rows[id]?.age += 1 }
    }

    /// Does something in a scope that is rolled back.
    private func fail(around twig: Managed<Twig>) throws {
        let before = twigs
        do {
            try context.nested { _ in
                if Bool.random(using: &numbers) { try setAge(of: twig, 50) }
                if let other = randomID() {
                    try Twig.find(Twig.ID(rawValue: other), in: context)?.delete()
                    twigs.delete(other)
                }
                if depth < 3 { try walk() }
                throw Ended()
            }
        } catch is Ended {
            twigs = before
        }
    }

    private func compare() throws {
        let found = try Twig.all(in: context).map { twig in
            (twig.id.rawValue, Twigs.Row(age: twig.age, parent: twig.parent?.rawValue))
        }
        let rows = Dictionary(uniqueKeysWithValues: found)
        guard rows != twigs.rows else { return }
        let differing = Set(rows.keys).union(twigs.rows.keys).filter { rows[$0] != twigs.rows[$0] }
        problems.append("the rows \(differing.sorted()) differ")
    }
}
