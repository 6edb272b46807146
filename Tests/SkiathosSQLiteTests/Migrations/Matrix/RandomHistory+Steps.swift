import SkiathosCore
import SkiathosStore

extension RandomHistory {
    private typealias Row = Sample<Evolving>

    /// The steps up to a version, as its program keeps them.
    func steps(of version: Int) -> [Migration] {
        let table = states[version].table
        return (1...max(version, 1)).prefix(version).compactMap { number in
            let change = changes[number - 1]
            var drops: [String] = []
            var converts: [String] = []
            switch change {
            case .remove(let id):
                // Whatever the column was called in a store that has it.
                let names = Set(states.compactMap { $0[id]?.name })
                drops = names.sorted().map { "\(table).\($0)" }
            case .convert(let id, _):
                if let column = states[version][id] { converts = ["\(table).\(column.name)"] }
            case .rename, .relax, .renameTable, .addWithDefault: return nil
            default: break
            }
            return Migration("step \(number)", drops: drops, converts: converts) { step in
                try take(number, step, version)
            }
        }
    }

    /// A number that belongs in a column of the file as it is, since a later step converts it.
    private struct Raw {
        var row: Int64
        var column: String
        var number: Int64
    }

    private func take(_ number: Int, _ step: MigrationContext, _ version: Int) throws {
        var raws: [Raw] = []
        try step.transform(Row.self) { old, value in
            func set(_ id: Int, _ change: (Int64?) -> Int64?) {
                let found = place(of: id, old, value, number, version)
                guard let new = change(found.number) else { return }
                if let column = found.rawColumn {
                    raws.append(Raw(row: value.id.rawValue, column: column, number: new))
                } else if let column = states[version][id] {
                    value[column.name] = column.kind.stored(new)
                }
            }
            switch changes[number - 1] {
            case .add(let column, let origin):
                let found = place(of: origin, old, value, number, version).number
                set(column.id) { _ in (found ?? 3) * 2 }
            case .increment(let id): set(id) { $0.map { $0 + 1 } }
            case .require(let id): set(id) { $0 ?? 1_000 }
            case .makeUnique(let id): set(id) { _ in 5_000 + value.id.rawValue }
            case .convert(let id, _):
                guard let column = states[version][id],
                    let source = states[number - 1][id]?.kind,
                    let (found, kind) = NumberKind.number(in: old.storedValue(of: column.name)),
                    kind == source
                else { return }
                value[column.name] = column.kind.stored(found)
            default: break
            }
        }
        // The largest first, so that unique numbers do not meet.
        for raw in raws.sorted(by: { $0.number > $1.number }) {
            try step.execute(
                "UPDATE \(states[version].table) SET \(raw.column) = ? WHERE id = ?",
                [raw.number, raw.row])
        }
    }

    /// The number that a row has in a column before a step, and the column of the file that it is
    /// in, unless it is in the value of today's entity.
    private func place(
        of id: Int, _ old: OldRow, _ value: Row, _ number: Int, _ version: Int
    ) -> (number: Int64?, rawColumn: String?) {
        let former = states[number - 1][id]
        guard let column = states[version][id] else {
            let names = states.compactMap { $0[id]?.name }
            let name = names.first { old.storedValue(of: $0) != nil }
            return (name.flatMap { NumberKind.number(in: old.storedValue(of: $0))?.0 }, name)
        }
        let stored = old.storedValue(of: column.name)
        let found = NumberKind.number(in: stored)
        if let (number, kind) = found, kind == former?.kind, kind != column.kind {
            return (number, column.name)
        }
        let current = NumberKind.number(in: value[column.name])?.0
        if stored == .null, former?.isOptional == true, !column.isOptional,
            current == 7
        {
            return (nil, nil)
        }
        return (current, nil)
    }
}
