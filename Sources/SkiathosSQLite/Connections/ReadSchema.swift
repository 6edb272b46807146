import GRDB
import SkiathosLocks
import SkiathosStore
import Synchronization

/// The tables that a store which is open for reading only relies on, while another process may migrate
/// the file.
///
/// SQLite counts the changes of a file's schema. Each read compares the number in its snapshot, in which
/// the schema stays as it is. After a change, the layouts that the file has had since the opening tell
/// whether what this store reads is still there, and under the same name. After an added column the
/// store goes on; else it never reads again, since it would read something else.
final class ReadSchema: Sendable {
    /// The number of the last schema that was compared and found to be readable.
    private let readable: Atomic<Int64>
    /// Why the store is not readable any more; set once.
    private let failure = Lock<StoreError?>(nil)
    private let program: StoreLayout
    private let tables: [TableLayout]
    private let present: LayoutRecord?
    private let file: String

    /// Records the schema of a file; called before it is compared with the entities.
    init(_ schema: StoreSchema, in database: Database, file: String) throws {
        readable = Atomic(try Int64.fetchOne(database, sql: "PRAGMA schema_version") ?? 0)
        program = StoreLayout(schema)
        tables = TableLayout.entities(of: schema)
        let hasStore = try FileFormat.content(of: database, file: file) == .store
        present = hasStore ? try SchemaSnapshot.introspect(database).layouts.last : nil
        self.file = file
    }

    /// Compares the schema in a read's snapshot, if it has another number than the last one.
    ///
    /// - Throws: ``StoreError`` with code `newerStore`, also at each later call.
    @inline(__always)
    func check(_ number: Int64, _ session: SQLiteSession) throws {
        guard number != readable.load(ordering: .relaxed) else { return }
        try compare(number, session)
    }

    private func compare(_ number: Int64, _ session: SQLiteSession) throws {
        if let failure = failure.withLock({ $0 }) { throw failure }
        let contents = try session.unrecorded {
            try session.natively { try SchemaSnapshot.introspect($0) }
        }
        guard let change = change(in: contents) else {
            return readable.store(number, ordering: .relaxed)
        }
        let error = StoreError(
            .newerStore,
            "\"\(file)\" was changed by a newer version of the program while it was open for reading only: \(change.description). Close the store, and open it with that version.",
            entity: change.table, columns: change.column.map { [$0] } ?? [])
        failure.withLock { $0 = error }
        // No number is that of a readable schema from now on.
        readable.store(.min, ordering: .relaxed)
        throw error
    }

    /// A change of what this store reads.
    private struct Change {
        var table: String
        var column: String?
        var description: String

        init(_ table: String, _ column: String?, _ words: String) {
            self.table = table
            self.column = column
            let name = SQLText.quote(table)
            description =
                column.map { "the column \(name).\(SQLText.quote($0)) \(words)" }
                ?? "the table \(name) \(words)"
        }
    }

    private func change(in contents: SchemaSnapshot) -> Change? {
        var previous = present?.layout ?? program
        for record in contents.layouts where record.position > (present?.position ?? 0) {
            guard let next = record.layout else { continue }
            if let change = change(from: previous, to: next) { return change }
            previous = next
        }
        return changeOfTables(contents.tables)
    }

    private func change(from previous: StoreLayout, to next: StoreLayout) -> Change? {
        let moves = NameMoves(
            from: previous.entities.map(\.name), to: next.entities.map(\.declared))
        for entity in program.entities {
            if let move = moves.move(of: entity.name) {
                return Change(entity.name, nil, "is called \(SQLText.quote(move.target)) now")
            }
            guard let other = next.entity(entity.name) else {
                return Change(entity.name, nil, "is not there any more")
            }
            let names = previous.entity(entity.name)?.properties.map(\.name) ?? []
            let moves = NameMoves(from: names, to: other.properties.map(\.declared))
            for property in entity.properties {
                if let move = moves.move(of: property.name) {
                    return Change(
                        entity.name, property.name,
                        "is called \(SQLText.quote(move.target)) now")
                }
                guard let present = other.property(property.name) else {
                    return Change(entity.name, property.name, "is not there any more")
                }
                guard property.type.accepts(present.type),
                    present.optional != true || property.optional == true
                else {
                    return Change(
                        entity.name, property.name,
                        "holds values of another kind (\(present.description), was \(property.description))"
                    )
                }
            }
        }
        return nil
    }

    /// Changes by a program that keeps no layouts.
    private func changeOfTables(_ found: [TableInfo]) -> Change? {
        for table in tables {
            guard let present = found.first(where: { $0.name == table.name }) else {
                return Change(table.name, nil, "is not there any more")
            }
            for column in table.columns {
                let other = present.columnsOnly.columns.first { $0.name == column.name }
                guard let other else {
                    return Change(table.name, column.name, "is not there any more")
                }
                guard other.type == column.type else {
                    return Change(table.name, column.name, "holds values of another kind")
                }
            }
        }
        return nil
    }
}

extension NameMoves {
    fileprivate func move(of name: String) -> Move? {
        moves.first { $0.source.lowercased() == name.lowercased() }
    }
}

extension StoreLayout.Entity {
    fileprivate var declared: NameMoves.Declared {
        NameMoves.Declared(name, former: formerly ?? [])
    }
}

extension StoreLayout.Property {
    fileprivate var declared: NameMoves.Declared {
        NameMoves.Declared(name, former: formerly ?? [])
    }

    fileprivate var description: String { "\(optional == true ? "optional " : "")\(type)" }
}
