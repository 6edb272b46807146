import SkiathosCore
import SkiathosStore

/// Merges the pending changes of scratch spaces into the transaction of a write.
///
/// Compares the rows in the transaction, column by column, with the rows as the space first
/// saw them. A column that both sides changed to different values is a conflict.
struct Merging {
    let context: WriteContext
    let policy: MergePolicy
    /// The conflicts that the policy has not resolved.
    private(set) var conflicts: [Conflict] = []
    /// The first seen versions of rows that were deleted there and are inserted again.
    private(set) var remade: [RowKey: [StoreValue]] = [:]

    /// The rows that the space has deleted.
    private var deleted: Set<RowKey> = []
    /// The changed rows that refer to these.
    private var referring: [(RowKey, [StoreValue])] = []

    /// The result of a merge for the rows of the parent.
    struct Outcome: Sendable {
        let changes: [RowChange]
        let remade: [RowKey: [StoreValue]]
    }

    init(_ context: WriteContext, _ policy: MergePolicy) {
        self.context = context
        self.policy = policy
    }

    /// Merges the pending changes of one space.
    ///
    /// - Returns: The first seen versions of the rows that are inserted again.
    /// - Throws: ``PersistenceServiceError`` with all conflicts that are not resolved.
    @discardableResult
    static func merge(
        _ changes: SpaceChanges, into context: WriteContext, _ policy: MergePolicy
    ) throws -> [RowKey: [StoreValue]] {
        guard !changes.isEmpty else { return [:] }
        var merging = Merging(context, policy)
        try context.withoutHooks {
            try merging.merge(changes)
            if !merging.conflicts.isEmpty {
                throw PersistenceServiceError.conflict(merging.conflicts)
            }
        }
        return merging.remade
    }

    /// Merges all changes of a space, in an order in which one write could have made them.
    ///
    /// 1. Changes of rows that are there: those that move away from a deleted row must not be changed
    ///    or deleted with it.
    /// 2. Deletions, of referring entities first.
    /// 3. Insertions, and references to rows that the space has deleted. They came after the deletion,
    ///    whose rules have no effect on them, so that they violate the reference.
    private mutating func merge(_ changes: SpaceChanges) throws {
        let byEntity = Dictionary(grouping: changes.rows) { $0.key.entity }
            .sorted { $0.key < $1.key }
        var deletions: [(RowKey, PendingRow, [StoreValue]?)] = []
        var insertions: [(RowKey, PendingRow)] = []
        deleted = Set(changes.rows.filter { $0.value.isDeletion }.keys)
        for (entity, rows) in byEntity {
            var theirs: [RowKey: [StoreValue]] = [:]
            let known = rows.filter { if case .inserted = $0.value { false } else { true } }
            if !known.isEmpty { theirs = try context.rows(of: entity, known.map(\.key.id)) }
            for (key, row) in rows {
                if row.isDeletion {
                    deletions.append((key, row, theirs[key]))
                } else if let theirs = theirs[key] {
                    try merge(row, key, theirs)
                } else {
                    insertions.append((key, row))
                }
            }
        }
        for (key, row, theirs) in deletions.reversed() { try merge(row, key, theirs) }
        for (key, row) in insertions { try merge(row, key, nil) }
        for (key, row) in referring { try set(key, to: row) }
    }

    /// Sets a row, which may have been deleted with one that it has come to refer to.
    private func set(_ key: RowKey, to row: [StoreValue]) throws {
        if try context.rows(of: key.entity, [key.id]).isEmpty {
            try context.insertRow(of: key.entity, row)
        } else {
            try context.setRow(of: key.entity, row)
        }
    }

    /// Whether any of some columns of a row refers to a row that the space has deleted.
    private func refersToDeleted(
        _ key: RowKey, _ row: [StoreValue], by columns: ColumnSet
    ) -> Bool {
        guard !deleted.isEmpty else { return false }
        let schemas = context.schema.entities[key.entity].columns
        return columns.contains { column in
            let target = schemas[column].reference.flatMap { context.schema.target(of: $0) }
            return target.map { deleted.contains(RowKey(entity: $0, id: row[column])) } ?? false
        }
    }

    private mutating func merge(
        _ row: PendingRow, _ key: RowKey, _ theirs: [StoreValue]?
    ) throws {
        switch (row, theirs) {
        case (.inserted(let mine), _): try context.insertRow(of: key.entity, mine)
        case (.updated(let row), let theirs?), (.remade(let row), let theirs?):
            try merge(row, key, theirs)
        case (.remade(let row), nil): try remake(row, key)
        case (.updated(let row), nil): try restore(row, key)
        case (.deleted(let base), let theirs?): try delete(base, key, theirs)
        case (.deleted, nil): break
        }
    }

    /// Merges a row that was changed here and exists there, column by column.
    private mutating func merge(
        _ row: UpdatedRow, _ key: RowKey, _ theirs: [StoreValue]
    ) throws {
        var merged = theirs
        for column in row.columns {
            let there = theirs[column]
            guard there != row.base[column], there != row.mine[column]
            else {
                merged[column] = row.mine[column]
                continue
            }
            let conflict = conflict(
                .bothChanged, key, column,
                Conflict.Rows(
                    base: row.bases(in: theirs), mine: row.applied(to: theirs), theirs: theirs))
            switch try settle(conflict) {
            case .mine?: merged[column] = row.mine[column]
            case .value(let value)?:
                merged[column] = try accepted(value, for: column, of: key.entity, conflict)
            case .theirs?, nil: break
            }
        }
        try context.setRow(of: key.entity, merged)
        if refersToDeleted(key, merged, by: row.columns) { referring.append((key, merged)) }
    }

    /// A value that a policy has given for a column, in the form in which the column keeps it.
    ///
    /// - Throws: ``PersistenceServiceError`` with code `invalidResolution` if the column cannot hold it.
    private func accepted(
        _ value: StoreValue, for column: Int, of entity: Int, _ conflict: Conflict
    ) throws -> StoreValue {
        let schema = context.schema.entities[entity].columns[column]
        if value == .null, schema.isOptional { return value }
        guard value.fits(schema.storage, isOptional: schema.isOptional),
            let kept = try? ValueRow([value]).read({ try schema.rebound($0, at: 0) })
        else { throw PersistenceServiceError.invalidValue(value, schema, conflict) }
        return kept
    }

    /// Merges a row that was changed here and deleted there.
    private mutating func restore(_ row: UpdatedRow, _ key: RowKey) throws {
        let conflict = conflict(
            .deletedThere, key, nil,
            Conflict.Rows(base: row.bases(in: row.base), mine: row.mine, theirs: nil))
        switch try settle(conflict) {
        case .mine?: try remake(row, key)
        case .theirs?, nil: break
        case .value?: throw PersistenceServiceError.invalidResolution(conflict)
        }
    }

    /// Inserts a deleted row again.
    private mutating func remake(_ row: UpdatedRow, _ key: RowKey) throws {
        remade[key] = row.base
        try context.insertRow(of: key.entity, row.mine)
    }

    /// Merges a row that was deleted here and exists there.
    private mutating func delete(
        _ base: [StoreValue], _ key: RowKey, _ theirs: [StoreValue]
    ) throws {
        if zip(base, theirs).allSatisfy({ $0 == $1 }) {
            return try context.deleteRow(of: key.entity, key.id)
        }
        let conflict = conflict(
            .deletedHere, key, nil, Conflict.Rows(base: base, mine: nil, theirs: theirs))
        switch try settle(conflict) {
        case .mine?: try context.deleteRow(of: key.entity, key.id)
        case .theirs?, nil: break
        case .value?: throw PersistenceServiceError.invalidResolution(conflict)
        }
    }

    /// Applies the policy; records a conflict that it does not resolve.
    private mutating func settle(_ conflict: Conflict) throws -> MergePolicy.Resolution? {
        let resolution = try policy.resolve(conflict)
        if resolution == nil { conflicts.append(conflict) }
        return resolution
    }

    private func conflict(
        _ kind: Conflict.Kind, _ key: RowKey, _ column: Int?, _ rows: Conflict.Rows
    ) -> Conflict {
        let schema = context.schema.entities[key.entity]
        return Conflict(
            kind: kind, entity: schema.typeName, id: key.id,
            column: column.map { schema.columns[$0].name },
            base: column.flatMap { rows.base?[$0] }, mine: column.flatMap { rows.mine?[$0] },
            theirs: column.flatMap { rows.theirs?[$0] }, type: schema.type, rows: rows)
    }
}

extension PersistenceServiceError {
    static func conflict(_ conflicts: [Conflict]) -> PersistenceServiceError {
        let entities = Set(conflicts.map(\.entity)).sorted().joined(separator: ", ")
        var error = PersistenceServiceError(
            .conflict,
            "\(conflicts.count) of the pending changes of \(entities) were changed elsewhere too, so nothing was saved. Read the conflicts of this error, and save with a policy or roll back."
        )
        error.conflicts = conflicts
        return error
    }

    static func invalidValue(
        _ value: StoreValue, _ column: ColumnSchema, _ conflict: Conflict
    ) -> PersistenceServiceError {
        let found =
            switch value {
            case .null: "no value"
            case .integer: "an integer"
            case .real: "a floating point number"
            case .text: "a text"
            case .blob: "bytes"
            }
        let expected = "\(column.isOptional ? "an optional " : "")\(column.kind)"
        var error = PersistenceServiceError(
            .invalidResolution,
            "A merge policy has given \(found) for \(conflict.entity).\(column.name), which holds \(expected) and cannot hold it. Give a value of that kind, or answer .mine or .theirs."
        )
        error.conflicts = [conflict]
        return error
    }

    static func invalidResolution(_ conflict: Conflict) -> PersistenceServiceError {
        var error = PersistenceServiceError(
            .invalidResolution,
            "A merge policy has given a value for a row of \(conflict.entity) that one side has deleted. Answer .mine or .theirs where the conflict has no column."
        )
        error.conflicts = [conflict]
        return error
    }
}
