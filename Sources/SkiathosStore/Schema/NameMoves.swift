/// The renames between the names in a store and the declared ones, planned as one.
///
/// A former name counts if the store lacks the declared name, or if another rename takes that one
/// over. So the order of the declarations has no effect, and a declaration may stay for ever:
///
/// ```
/// in the store: a, b          declared: a, b (formerly a), c (formerly b)
/// moves:        b → c, a → b  and a is new
/// in the store: a, b, c       moves: none
/// ```
///
/// Databases do not tell upper from lower case in names. Another spelling is taken as a former
/// name only where it is declared as one.
package struct NameMoves {
    /// A declared name.
    package struct Declared {
        /// The name.
        package var name: String
        /// The names that it had before.
        package var former: [String]

        /// Makes a declared name.
        package init(_ name: String, former: [String]) {
            self.name = name
            self.former = former
        }
    }

    /// The rename of one name.
    package struct Move: Equatable {
        /// The name in the store.
        package var source: String
        /// The declared name.
        package var target: String
        /// Whether only upper and lower case differ.
        package var changesCaseOnly: Bool { source.lowercased() == target.lowercased() }
    }

    /// The renames, in an order in which each name is free when it is taken.
    package private(set) var moves: [Move] = []

    /// Plans the renames from the names in a store to the declared ones.
    package init(from present: [String], to declared: [Declared]) {
        let found = Dictionary(
            present.map { ($0.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
        // The declared names that take over a name of the store, by that one in lower case.
        var takers: [String: Declared] = [:]
        var waiting = declared
        var isComplete = false
        while !isComplete {
            isComplete = true
            waiting.removeAll { name in
                guard let source = Self.source(of: name, found, takers) else { return false }
                takers[source] = name
                isComplete = false
                return true
            }
        }
        order(takers.map { Move(source: found[$0] ?? $0, target: $1.name) })
    }

    /// The name in the store, in lower case, that becomes a declared one.
    private static func source(
        of declared: Declared, _ found: [String: String], _ takers: [String: Declared]
    ) -> String? {
        let own = declared.name.lowercased()
        let former = declared.former.map { $0.lowercased() }
        if let spelling = found[own], takers[own] == nil {
            return spelling != declared.name && former.contains(own) ? own : nil
        }
        return former.first { $0 != own && found[$0] != nil && takers[$0] == nil }
    }

    private mutating func order(_ moves: [Move]) {
        var rest = moves.sorted { $0.source < $1.source }
        while let position = rest.firstIndex(where: { move in
            !rest.contains {
                $0 != move && $0.source.lowercased() == move.target.lowercased()
            }
        }) {
            self.moves.append(rest.remove(at: position))
        }
    }

    /// Declared names each of which was called like the next one, the last like the first; `nil` if
    /// there are none.
    ///
    /// Names that are to be exchanged cannot be told from names that were exchanged already.
    package static func cycle(among declared: [Declared]) -> [String]? {
        let byName = Dictionary(
            declared.map { ($0.name.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
        var done: Set<String> = []
        for start in declared where !done.contains(start.name.lowercased()) {
            var path: [Declared] = []
            var unvisited = [(start, 0)]
            while let (name, depth) = unvisited.popLast() {
                path.removeSubrange(depth...)
                let own = name.name.lowercased()
                if let first = path.firstIndex(where: { $0.name.lowercased() == own }) {
                    return path[first...].map(\.name)
                }
                guard done.insert(own).inserted else { continue }
                path.append(name)
                for former in name.former.map({ $0.lowercased() }) where former != own {
                    if let next = byName[former] { unvisited.append((next, depth + 1)) }
                }
            }
        }
        return nil
    }
}
