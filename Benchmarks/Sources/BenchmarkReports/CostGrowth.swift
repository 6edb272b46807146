import Foundation

/// How much the cost of a unit may grow with the size of what it works in.
package enum AllowedGrowth: Sendable {
    /// Not at all.
    case none
    /// As the depth of a B-tree: with the logarithm of the size.
    case logarithmic
    /// As the size, of which each one has to be served, beside the unit itself.
    case linear

    /// The factor by which the cost may grow from one size to another.
    package func factor(from old: Int, to new: Int) -> Double {
        switch self {
        case .none: 1
        case .logarithmic: old > 1 ? log(Double(new)) / log(Double(old)) : 1
        case .linear: Double(new + 1) / Double(old + 1)
        }
    }
}

/// The costs of units of work by one size, such as the number of rows in the store.
package struct CostGrowth: Sendable {
    /// One unit of work.
    package struct Unit: Sendable {
        package let title: String
        package let allowed: AllowedGrowth
        /// The title of the unit that does the same in raw C: what grows there, too, is the growth
        /// of SQLite's work.
        package let peer: String?

        package init(_ title: String, _ allowed: AllowedGrowth, peer: String? = nil) {
            self.title = title
            self.allowed = allowed
            self.peer = peer
        }
    }

    /// What differs by less than this may be another place of the same rows in their pages.
    private static let margin = 0.05

    package let title: String
    package let size: String
    package let units: [Unit]
    /// By ascending size, with a cost for each of the units.
    private var costs: [(size: Int, costs: [Double?])] = []

    /// - Parameters:
    ///   - title: What the heading says.
    ///   - size: What is counted by the sizes, such as `rows`.
    package init(_ title: String, size: String, units: [Unit]) {
        self.title = title
        self.size = size
        self.units = units
    }

    package mutating func add(size: Int, _ found: [Double?]) { costs.append((size, found)) }

    /// The factor by which a unit has grown against the size before; `nil` for the first.
    package func growth(of unit: Int, at row: Int) -> Double? {
        guard row > 0, let old = costs[row - 1].costs[unit], let new = costs[row].costs[unit] else {
            return nil
        }
        return new / old
    }

    /// Whether a unit has grown by more than its work, and by more than its peer.
    package func isTooFast(_ unit: Int, at row: Int) -> Bool {
        guard let growth = growth(of: unit, at: row) else { return false }
        let (old, new) = (costs[row - 1].size, costs[row].size)
        let peer = units.firstIndex { $0.title == units[unit].peer }
        let limit = max(
            units[unit].allowed.factor(from: old, to: new),
            peer.flatMap { self.growth(of: $0, at: row) } ?? 0)
        return growth > limit * (1 + Self.margin)
    }

    /// One line for each size.
    package var table: TextTable {
        var table = TextTable(columns: [size] + units.map(\.title), textColumns: 0)
        for (row, line) in costs.enumerated() {
            table.add([Format.count(line.size)] + units.indices.map { cell($0, at: row) })
        }
        return table
    }

    private func cell(_ unit: Int, at row: Int) -> String {
        guard let cost = costs[row].costs[unit] else { return "–" }
        let text = Format.count(Int(cost.rounded()))
        guard let growth = growth(of: unit, at: row) else { return text }
        return "\(text) ×\(Format.fixed(growth, 2))\(isTooFast(unit, at: row) ? " FASTER" : "")"
    }
}
