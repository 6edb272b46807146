#if RequestCore
import SkiathosCore
import SkiathosStore

/// Marks a row as seen by a sync run, so that the run can delete the others at its end.
///
/// The ID is made of the sync's ID and the row's ID. Other IDs record what was delivered
/// meanwhile.
struct SyncMark: Sendable, Hashable {
    var id: EntityID<SyncMark> = .unassigned
    /// The ID of the sync.
    var sync: Int64 = 0
}

extension SyncMark: Entity {
    typealias RawID = String

    struct Columns: Sendable {
        let id = Column<SyncMark, SyncMark.ID>(0, Coding.of(SyncMark.ID.self))
        let sync = Column<SyncMark, Int64>(1, Coding.of(Int64.self))
    }

    static let columns = Columns()
    static func makeColumns() -> Columns { Columns() }

    static let schema = EntitySchema(
        SyncMark.self, table: "dataRequestSyncMark", id: Coding.of(SyncMark.ID.self),
        columns: [
            ColumnSchema("sync", Coding.of(Int64.self))
        ], unique: [], indexed: ["sync"])

    static func column(at keyPath: PartialKeyPath<SyncMark>) -> Int? {
        switch keyPath {
        case \SyncMark.id: 0
        case \SyncMark.sync: 1
        default: nil
        }
    }

    init(id: SyncMark.ID) { self.id = id }

    init(row: RowReader) throws {
        id = try row.value(Coding.of(SyncMark.ID.self), at: 0)
        sync = try row.value(Coding.of(Int64.self), at: 1)
    }

    func bind(_ column: Int, to parameters: ParameterWriter, at position: Int) throws {
        switch column {
        case 0: try parameters.bind(id, Coding.of(SyncMark.ID.self), at: position)
        default: try parameters.bind(sync, Coding.of(Int64.self), at: position)
        }
    }

    func changedColumns(from other: SyncMark) -> ColumnSet {
        var changed = ColumnSet()
        changed.insert(1, if: !Coding.of(Int64.self).areIdentical(sync, other.sync))
        return changed
    }
}
#endif
