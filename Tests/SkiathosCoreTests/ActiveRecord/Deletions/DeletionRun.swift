import Skiathos
import TestSupport

/// Deletions of one write in a random net of rows, beside the same in plain Swift.
///
/// Not `Sendable`: made and used inside the closure of the write.
final class DeletionRun {
    private let context: WriteContext
    private var numbers: SeededNumbers
    private var net = Net()
    /// The problems that were found.
    private(set) var problems: [String] = []

    init(_ context: WriteContext, seed: UInt64) {
        self.context = context
        numbers = SeededNumbers(seed: seed)
    }

    func run() throws {
        for _ in 0..<6 where problems.isEmpty {
            try grow()
            // Objects that the write holds, some of them with changes.
            let held = random(0..<3) == 0 ? [] : try Knot.order { $0.size }.all(in: context)
            for knot in held where random(0..<3) == 0 { try move(knot) }
            try delete(held)
            try compare(held)
        }
    }

    private func random(_ range: Range<Int>) -> Int { Int.random(in: range, using: &numbers) }

    private func randomKnot() -> Int64? { net.knots.keys.sorted().randomElement(using: &numbers) }

    /// Adds knots, many of them in one long chain, and beads.
    private func grow() throws {
        var last = randomKnot()
        // Some chains are longer than the levels through which SQLite deletes.
        let (count, links) = (random(0..<4) == 0 ? 1300 : random(20..<140), random(0..<30))
        for _ in 0..<count {
            let size = random(0..<12)
            let up = random(0..<(count + 10)) < 9 ? randomKnot() : last
            let next = random(0..<30) < links ? randomKnot() : nil
            let bead =
                random(0..<9) == 0 ? net.beads.keys.sorted().randomElement(using: &numbers) : nil
            let knot = try Knot.create(in: context) {
                $0.size = size
                $0.up = up.map { Knot.ID(rawValue: $0) }
                $0.next = next.map { Knot.ID(rawValue: $0) }
                $0.bead = bead.map { Bead.ID(rawValue: $0) }
            }
            let id = knot.id.rawValue
            net.knots[id] = Net.KnotRow(size: size, up: up, next: next, bead: bead)
            last = id
            if random(0..<4) == 0 { try addBead(to: id) }
        }
    }

    private func addBead(to knot: Int64) throws {
        let mark = random(0..<2) == 0 ? randomKnot() : nil
        let bead = try Bead.create(in: context) {
            $0.knot = Knot.ID(rawValue: knot)
            $0.mark = mark.map { Knot.ID(rawValue: $0) }
        }
        net.beads[bead.id.rawValue] = Net.BeadRow(knot: knot, mark: mark)
    }

    /// Has a knot refer to any other one, or to itself.
    private func move(_ knot: Managed<Knot>) throws {
        let target = random(0..<4) == 0 ? nil : randomKnot()
        let id = knot.id.rawValue
        if random(0..<2) == 0 {
            knot.up = target.map { Knot.ID(rawValue: $0) }
            net.knots[id]?.up = target
        } else {
            knot.next = target.map { Knot.ID(rawValue: $0) }
            net.knots[id]?.next = target
        }
    }

    private func delete(_ held: [Managed<Knot>]) throws {
        switch random(0..<5) {
        case 0, 1:
            for _ in 0..<random(1..<20) {
                guard let id = randomKnot() else { return }
                // Deletions are applied one after the other, as if each were flushed.
                try Knot.find(Knot.ID(rawValue: id), in: context)?.delete()
                net.delete([.knot(id)])
            }
        case 2:
            let size = random(0..<12)
            let chosen = net.knots.filter { $0.value.size == size }.keys
            _ = try Knot.deleteAll(where: { $0.size == size }, in: context)
            net.delete(chosen.map { .knot($0) })
        case 3:
            let (limit, offset) = (random(0..<5), random(0..<5))
            let sorted = net.knots.sorted { ($0.value.size, $0.key) < ($1.value.size, $1.key) }
            _ = try Knot.order { $0.size }.limit(limit).offset(offset).deleteAll(in: context)
            net.delete(sorted.dropFirst(offset).prefix(limit).map { .knot($0.key) })
        default:
            for bead in try Bead.order({ $0.id }).limit(random(1..<4)).all(in: context) {
                let id = bead.id.rawValue
                try Bead.find(bead.id, in: context)?.delete()
                net.delete([.bead(id)])
            }
        }
    }

    private func compare(_ held: [Managed<Knot>]) throws {
        var found = Net()
        for knot in try Knot.all(in: context) {
            found.knots[knot.id.rawValue] = Net.KnotRow(
                size: knot.size, up: knot.up?.rawValue, next: knot.next?.rawValue,
                bead: knot.bead?.rawValue)
        }
        for bead in try Bead.all(in: context) {
            found.beads[bead.id.rawValue] = Net.BeadRow(
                knot: bead.knot.rawValue, mark: bead.mark?.rawValue)
        }
        if found != net {
            let (one, other) = (Set(found.knots.keys), Set(net.knots.keys))
            problems.append(
                "\(found.knots.count) knots and \(found.beads.count) beads, not \(net.knots.count) and \(net.beads.count); \(one.symmetricDifference(other).sorted()) differ"
            )
        }
        for knot in held where knot.isDeleted != (net.knots[knot.id.rawValue] == nil) {
            problems.append("\(knot.id.rawValue) is held, and deleted is \(knot.isDeleted)")
        }
    }
}
