import PersistenceService

/// What three services above one store hold, in dictionaries: as simple as can be, and slow.
struct Model {
    typealias ID = Int64
    typealias Row = [Int]

    /// What is pending for a row.
    enum Pending: Equatable {
        case made(Row)
        case changed(base: Row, mine: Row, columns: Set<Int>)
        case remade(base: Row, mine: Row, columns: Set<Int>)
        case gone(Row)
    }

    struct Space {
        var rows: [ID: Pending] = [:]
        var undo: [[ID: Pending]] = []
        var redo: [[ID: Pending]] = []

        mutating func step(_ change: (inout [ID: Pending]) -> Void) {
            let before = rows
            change(&rows)
            guard rows != before else { return }
            undo.append(before)
            redo = []
        }
    }

    /// What a save does about conflicts.
    enum Policy: CaseIterable {
        case throwing, mine, theirs, sum
    }

    /// A save met this many conflicts.
    struct Conflicted: Error, Equatable {
        var count: Int
    }

    var store: [ID: Row] = [:]
    var spaces = [Space(), Space(), Space()]

    /// What the service of a level sees; -1 is the store.
    func view(_ level: Int) -> [ID: Row] {
        var view = store
        for space in spaces.prefix(level + 1) {
            for (id, pending) in space.rows {
                switch pending {
                case .made(let row): view[id] = row
                case .gone: view[id] = nil
                case .changed(_, let mine, let columns):
                    if let there = view[id] { view[id] = Self.overlay(mine, columns, on: there) }
                case .remade(_, let mine, let columns):
                    view[id] = view[id].map { Self.overlay(mine, columns, on: $0) } ?? mine
                }
            }
        }
        return view
    }

    /// Makes a change in a service, and saves it to a depth.
    mutating func change(
        _ level: Int, _ depth: SaveDepth, _ policy: Policy, _ edit: (inout [ID: Row]) -> Void
    ) throws {
        let before = view(level)
        var after = before
        edit(&after)
        var copy = self
        copy.spaces[level].step { Self.add(from: before, to: after, into: &$0) }
        try copy.save(level, depth, policy)
        self = copy
    }

    /// Brings what is pending in a service to a depth.
    mutating func save(_ level: Int, _ depth: SaveDepth, _ policy: Policy) throws {
        switch depth {
        case .keep: return
        case .parent where level > 0:
            let before = view(level - 1)
            var after = before
            let remade = try Self.merge(spaces[level].rows, into: &after, policy)
            spaces[level - 1].step { Self.add(from: before, to: after, into: &$0, remade) }
            spaces[level] = Space()
        case .parent, .store:
            var after = store
            for space in spaces.prefix(level + 1) {
                _ = try Self.merge(space.rows, into: &after, policy)
            }
            store = after
            for index in 0...level { spaces[index] = Space() }
        }
    }

    mutating func undo(_ level: Int) -> Bool {
        guard let before = spaces[level].undo.popLast() else { return false }
        spaces[level].redo.append(spaces[level].rows)
        spaces[level].rows = before
        return true
    }

    mutating func redo(_ level: Int) -> Bool {
        guard let after = spaces[level].redo.popLast() else { return false }
        spaces[level].undo.append(spaces[level].rows)
        spaces[level].rows = after
        return true
    }

    private static func overlay(_ mine: Row, _ columns: Set<Int>, on row: Row) -> Row {
        row.indices.map { columns.contains($0) ? mine[$0] : row[$0] }
    }

    private static func differences(_ left: Row, _ right: Row) -> Set<Int> {
        Set(left.indices.filter { left[$0] != right[$0] })
    }

    /// Adds what has changed between two views to what is pending.
    private static func add(
        from before: [ID: Row], to after: [ID: Row], into rows: inout [ID: Pending],
        _ remade: [ID: Row] = [:]
    ) {
        for id in Set(before.keys).union(after.keys) where before[id] != after[id] {
            switch (rows[id], before[id], after[id]) {
            case (nil, nil, let new?) where remade[id] != nil:
                let base = remade[id] ?? new
                rows[id] = .remade(base: base, mine: new, columns: differences(base, new))
            case (nil, nil, let new?), (.made?, _, let new?): rows[id] = .made(new)
            case (nil, let old?, nil): rows[id] = .gone(old)
            case (.made?, _, nil): rows[id] = nil
            case (nil, let old?, let new?):
                rows[id] = .changed(base: old, mine: new, columns: differences(old, new))
            case (.changed(let base, _, let columns)?, let old?, let new?):
                let (base, columns) = touch(base, columns, old, new)
                rows[id] =
                    columns.isEmpty ? nil : .changed(base: base, mine: new, columns: columns)
            case (.remade(let base, _, let columns)?, let old?, let new?):
                let (base, columns) = touch(base, columns, old, new)
                rows[id] = .remade(base: base, mine: new, columns: columns)
            case (.changed(let base, _, let columns)?, let old?, nil),
                (.remade(let base, _, let columns)?, let old?, nil):
                rows[id] = .gone(overlay(base, columns, on: old))
            case (.changed(let base, _, _)?, nil, let new?),
                (.remade(let base, _, _)?, nil, let new?), (.gone(let base)?, _, let new?):
                rows[id] = .remade(base: base, mine: new, columns: differences(base, new))
            default: break
            }
        }
    }

    private static func touch(
        _ base: Row, _ columns: Set<Int>, _ old: Row, _ new: Row
    ) -> (Row, Set<Int>) {
        var base = base
        var columns = columns
        for column in new.indices {
            if !columns.contains(column) {
                base[column] = old[column]
                if old[column] != new[column] { columns.insert(column) }
            } else if new[column] != old[column], new[column] == base[column] {
                columns.remove(column)
            }
        }
        return (base, columns)
    }

    /// Merges what is pending into a view; returns how rows were that are made again.
    private static func merge(
        _ rows: [ID: Pending], into view: inout [ID: Row], _ policy: Policy
    ) throws -> [ID: Row] {
        var conflicts = 0
        var remade: [ID: Row] = [:]
        for (id, pending) in rows {
            switch (pending, view[id]) {
            case (.made(let row), _): view[id] = row
            case (.remade(let base, let row, _), nil):
                view[id] = row
                remade[id] = base
            case (.changed(let base, let mine, let columns), let there?),
                (.remade(let base, let mine, let columns), let there?):
                for column in columns {
                    let isConflict =
                        there[column] != base[column] && there[column] != mine[column]
                    switch policy {
                    case _ where !isConflict: view[id]?[column] = mine[column]
                    case .throwing: conflicts += 1
                    case .mine: view[id]?[column] = mine[column]
                    case .sum: view[id]?[column] = mine[column] + there[column]
                    case .theirs: break
                    }
                }
            case (.changed(let base, let mine, _), nil):
                if policy == .throwing { conflicts += 1 }
                if policy == .mine || policy == .sum {
                    view[id] = mine
                    remade[id] = base
                }
            case (.gone(let base), let there?):
                if base != there, policy == .throwing { conflicts += 1 }
                if base == there || policy == .mine || policy == .sum { view[id] = nil }
            case (.gone, nil): break
            }
        }
        if conflicts > 0 { throw Conflicted(count: conflicts) }
        return remade
    }
}
