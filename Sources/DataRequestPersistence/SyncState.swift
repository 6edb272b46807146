#if RequestCore
import DataRequestCore
import SkiathosPlatformFoundation
import SkiathosCore
import SkiathosStore

/// The progress of a sync, and the validators of its conditional requests.
struct SyncState: Sendable, Hashable {
    var id: EntityID<SyncState> = .unassigned
    /// The name of the sync.
    var name: String = ""
    /// The fingerprint of the request and the options; a sync with another one starts over.
    var fingerprint: String = ""
    /// The validators of the first page of the last complete run.
    var validators: Validators?
    /// Whether the last run was interrupted.
    var isUnderWay: Bool = false
    /// The validators of the first page of the current run.
    var firstValidators: Validators?
    /// The validators of the current page.
    var pageValidators: Validators?
    /// The current page of the run; nil for the first one.
    var page: String?
    /// How many elements of that page are stored.
    var elementsOfPage: Int = 0
    /// How many elements of all pages are stored.
    var elements: Int = 0
    /// How many pages came before that page.
    var pages: Int = 0
    /// How many elements of the run were refused.
    var refused: Int = 0
    /// How many rows the run has not touched because of queued changes.
    var kept: Int = 0
    /// When the last run was completed.
    var completed: Date?
}

extension SyncState: Entity {
    struct Columns: Sendable {
        let id = Column<SyncState, SyncState.ID>(0, Coding.of(SyncState.ID.self))
        let name = Column<SyncState, String>(1, Coding.of(String.self))
        let fingerprint = Column<SyncState, String>(2, Coding.of(String.self))
        let validators = Column<SyncState, Validators?>(3, Coding.of(Validators?.self))
        let isUnderWay = Column<SyncState, Bool>(4, Coding.of(Bool.self))
        let firstValidators = Column<SyncState, Validators?>(5, Coding.of(Validators?.self))
        let pageValidators = Column<SyncState, Validators?>(6, Coding.of(Validators?.self))
        let page = Column<SyncState, String?>(7, Coding.of(String?.self))
        let elementsOfPage = Column<SyncState, Int>(8, Coding.of(Int.self))
        let elements = Column<SyncState, Int>(9, Coding.of(Int.self))
        let pages = Column<SyncState, Int>(10, Coding.of(Int.self))
        let refused = Column<SyncState, Int>(11, Coding.of(Int.self))
        let kept = Column<SyncState, Int>(12, Coding.of(Int.self))
        let completed = Column<SyncState, Date?>(13, Coding.of(Date?.self))
    }

    static let columns = Columns()
    static func makeColumns() -> Columns { Columns() }

    static let schema = EntitySchema(
        SyncState.self, table: "dataRequestSync", id: Coding.of(SyncState.ID.self),
        columns: [
            ColumnSchema("name", Coding.of(String.self)),
            ColumnSchema("fingerprint", Coding.of(String.self)),
            ColumnSchema("validators", Coding.of(Validators?.self)),
            ColumnSchema("isUnderWay", Coding.of(Bool.self)),
            ColumnSchema("firstValidators", Coding.of(Validators?.self)),
            ColumnSchema("pageValidators", Coding.of(Validators?.self)),
            ColumnSchema("page", Coding.of(String?.self)),
            ColumnSchema("elementsOfPage", Coding.of(Int.self)),
            ColumnSchema("elements", Coding.of(Int.self)),
            ColumnSchema("pages", Coding.of(Int.self)),
            ColumnSchema("refused", Coding.of(Int.self)),
            ColumnSchema("kept", Coding.of(Int.self)),
            ColumnSchema("completed", Coding.of(Date?.self)),
        ], unique: [["name"]], indexed: [])

    static func column(at keyPath: PartialKeyPath<SyncState>) -> Int? {
        switch keyPath {
        case \SyncState.id: 0
        case \SyncState.name: 1
        case \SyncState.fingerprint: 2
        case \SyncState.validators: 3
        case \SyncState.isUnderWay: 4
        case \SyncState.firstValidators: 5
        case \SyncState.pageValidators: 6
        case \SyncState.page: 7
        case \SyncState.elementsOfPage: 8
        case \SyncState.elements: 9
        case \SyncState.pages: 10
        case \SyncState.refused: 11
        case \SyncState.kept: 12
        case \SyncState.completed: 13
        default: nil
        }
    }

    init(id: SyncState.ID) { self.id = id }

    init(row: RowReader) throws {
        id = try row.value(Coding.of(SyncState.ID.self), at: 0)
        name = try row.value(Coding.of(String.self), at: 1)
        fingerprint = try row.value(Coding.of(String.self), at: 2)
        validators = try row.value(Coding.of(Validators?.self), at: 3)
        isUnderWay = try row.value(Coding.of(Bool.self), at: 4)
        firstValidators = try row.value(Coding.of(Validators?.self), at: 5)
        pageValidators = try row.value(Coding.of(Validators?.self), at: 6)
        page = try row.value(Coding.of(String?.self), at: 7)
        elementsOfPage = try row.value(Coding.of(Int.self), at: 8)
        elements = try row.value(Coding.of(Int.self), at: 9)
        pages = try row.value(Coding.of(Int.self), at: 10)
        refused = try row.value(Coding.of(Int.self), at: 11)
        kept = try row.value(Coding.of(Int.self), at: 12)
        completed = try row.value(Coding.of(Date?.self), at: 13)
    }

    func bind(_ column: Int, to parameters: ParameterWriter, at position: Int) throws {
        switch column {
        case 0: try parameters.bind(id, Coding.of(SyncState.ID.self), at: position)
        case 1: try parameters.bind(name, Coding.of(String.self), at: position)
        case 2: try parameters.bind(fingerprint, Coding.of(String.self), at: position)
        case 3: try parameters.bind(validators, Coding.of(Validators?.self), at: position)
        case 4: try parameters.bind(isUnderWay, Coding.of(Bool.self), at: position)
        case 5: try parameters.bind(firstValidators, Coding.of(Validators?.self), at: position)
        case 6: try parameters.bind(pageValidators, Coding.of(Validators?.self), at: position)
        case 7: try parameters.bind(page, Coding.of(String?.self), at: position)
        case 8: try parameters.bind(elementsOfPage, Coding.of(Int.self), at: position)
        case 9: try parameters.bind(elements, Coding.of(Int.self), at: position)
        case 10: try parameters.bind(pages, Coding.of(Int.self), at: position)
        case 11: try parameters.bind(refused, Coding.of(Int.self), at: position)
        case 12: try parameters.bind(kept, Coding.of(Int.self), at: position)
        default: try parameters.bind(completed, Coding.of(Date?.self), at: position)
        }
    }

    func changedColumns(from other: SyncState) -> ColumnSet {
        var changed = ColumnSet()
        changed.insert(1, if: !Coding.of(String.self).areIdentical(name, other.name))
        changed.insert(2, if: !Coding.of(String.self).areIdentical(fingerprint, other.fingerprint))
        changed.insert(
            3, if: !Coding.of(Validators?.self).areIdentical(validators, other.validators))
        changed.insert(4, if: !Coding.of(Bool.self).areIdentical(isUnderWay, other.isUnderWay))
        changed.insert(
            5,
            if: !Coding.of(Validators?.self).areIdentical(
                firstValidators, other.firstValidators))
        changed.insert(
            6,
            if: !Coding.of(Validators?.self).areIdentical(pageValidators, other.pageValidators))
        changed.insert(7, if: !Coding.of(String?.self).areIdentical(page, other.page))
        changed.insert(
            8, if: !Coding.of(Int.self).areIdentical(elementsOfPage, other.elementsOfPage))
        changed.insert(9, if: !Coding.of(Int.self).areIdentical(elements, other.elements))
        changed.insert(10, if: !Coding.of(Int.self).areIdentical(pages, other.pages))
        changed.insert(11, if: !Coding.of(Int.self).areIdentical(refused, other.refused))
        changed.insert(12, if: !Coding.of(Int.self).areIdentical(kept, other.kept))
        changed.insert(13, if: !Coding.of(Date?.self).areIdentical(completed, other.completed))
        return changed
    }
}
#endif
