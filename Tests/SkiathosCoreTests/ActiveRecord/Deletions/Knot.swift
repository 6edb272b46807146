import Skiathos

/// A row that goes with any of two others of its kind, and with a bead.
struct Knot: Sendable {
    var id: EntityID<Knot> = .unassigned
    var size = 0
    var up: Knot.ID?
    var next: Knot.ID?
    var bead: Bead.ID?
}

/// A row that goes with its knot, which a cascade comes back through, and forgets its mark.
struct Bead: Sendable {
    var id: EntityID<Bead> = .unassigned
    var knot: Knot.ID = .unassigned
    var mark: Knot.ID?
}

extension Knot: TableEntity {
    init(id: Knot.ID) { self.id = id }

    static let table = EntityTable("knot", id: \Knot.id) {
        EntityColumn("size", \.size)
        EntityColumn("up", \.up, .references(onDelete: .cascade))
        EntityColumn("next", \.next, .references(onDelete: .cascade))
        EntityColumn("bead", \.bead, .references(onDelete: .cascade))
    }
}

extension Bead: TableEntity {
    init(id: Bead.ID) { self.id = id }

    static let table = EntityTable("bead", id: \Bead.id) {
        EntityColumn("knot", \.knot, .references(onDelete: .cascade))
        EntityColumn("mark", \.mark)
    }
}

/// The same rows in plain Swift.
struct Net: Equatable {
    enum Node: Hashable {
        case knot(Int64)
        case bead(Int64)
    }

    struct KnotRow: Equatable {
        var size: Int
        var up: Int64?
        var next: Int64?
        var bead: Int64?
    }

    struct BeadRow: Equatable {
        var knot: Int64
        var mark: Int64?
    }

    var knots: [Int64: KnotRow] = [:]
    var beads: [Int64: BeadRow] = [:]

    /// Deletes rows, and what goes with them.
    mutating func delete(_ nodes: [Node]) {
        let followers = followers
        var (unvisited, gone) = (nodes, Set(nodes))
        while let node = unvisited.popLast() {
            for other in followers[node] ?? [] where gone.insert(other).inserted {
                unvisited.append(other)
            }
        }
        knots = knots.filter { !gone.contains(.knot($0.key)) }
        beads = beads.filter { !gone.contains(.bead($0.key)) }
        for (id, bead) in beads {
            if let mark = bead.mark, gone.contains(.knot(mark)) { beads[id]?.mark = nil }
        }
    }

    /// The rows that go with each row.
    private var followers: [Node: [Node]] {
        var followers: [Node: [Node]] = [:]
        for (id, knot) in knots {
            if let up = knot.up { followers[.knot(up), default: []].append(.knot(id)) }
            if let next = knot.next { followers[.knot(next), default: []].append(.knot(id)) }
            if let bead = knot.bead { followers[.bead(bead), default: []].append(.knot(id)) }
        }
        for (id, bead) in beads { followers[.knot(bead.knot), default: []].append(.bead(id)) }
        return followers
    }
}
