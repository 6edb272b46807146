import SkiathosCore
import SkiathosStore

/// What an entity is like in one version of a program.
protocol Shape: Sendable {
    associatedtype RawID: EntityKey = Int64
    static var form: Form { get }
}

/// An entity as a test writes it down.
struct Form: Sendable {
    /// How the values of a column are kept.
    enum Kind: Sendable {
        case text, optionalText, integer, optionalInteger, real, optionalReal
        /// One of some texts; any other cannot be read.
        case choice([String])
        case reference(any Entity.Type, isText: Bool)
    }

    struct Column: Sendable {
        var name: String
        var kind: Kind
        var standard: StoreValue
        var formerNames: [String]

        init(
            _ name: String, _ kind: Kind, _ standard: StoreValue = .null, was: [String] = []
        ) {
            self.name = name
            self.kind = kind
            self.standard = standard
            formerNames = was
        }
    }

    var table: String
    var columns: [Column]
    var unique: [[String]] = []
    var indexed: [String] = []
    var searchable: [String] = []
    var was: [String] = []

    func position(_ name: String) -> Int? { columns.firstIndex { $0.name == name } }
}

extension Form.Column {
    func schema() -> ColumnSchema {
        switch kind {
        case .text, .choice: ColumnSchema(name, Coding.of(String.self), renamedFrom: formerNames)
        case .optionalText: ColumnSchema(name, Coding.of(String?.self), renamedFrom: formerNames)
        case .integer: ColumnSchema(name, Coding.of(Int64.self), renamedFrom: formerNames)
        case .optionalInteger:
            ColumnSchema(name, Coding.of(Int64?.self), renamedFrom: formerNames)
        case .real: ColumnSchema(name, Coding.of(Double.self), renamedFrom: formerNames)
        case .optionalReal: ColumnSchema(name, Coding.of(Double?.self), renamedFrom: formerNames)
        case .reference(let target, let isText): reference(target, isText: isText)
        }
    }

    private func reference(_ target: Any.Type, isText: Bool) -> ColumnSchema {
        var column =
            isText
            ? ColumnSchema(name, Coding.of(String?.self), renamedFrom: formerNames)
            : ColumnSchema(name, Coding.of(Int64?.self), renamedFrom: formerNames)
        column.reference = ColumnSchema.Reference(target: target, onDelete: .nullify)
        return column
    }

    func read(_ row: RowReader, _ position: Int) throws -> StoreValue {
        if row.isNull(at: position) { return .null }
        switch kind {
        case .integer, .optionalInteger, .reference(_, isText: false):
            return .integer(row.integer(at: position))
        case .real, .optionalReal: return .real(row.real(at: position))
        case .choice(let texts):
            guard let text = row.text(at: position), texts.contains(text) else {
                throw StoreError.undecodable(String.self, column: position)
            }
            return .text(text)
        default: return .text(row.text(at: position) ?? "")
        }
    }
}

/// A value of an entity of any shape.
struct Sample<S: Shape>: Entity {
    typealias RawID = S.RawID
    struct Columns: Sendable {}

    static var columns: Columns { Columns() }
    static func makeColumns() -> Columns { Columns() }
    static var schema: EntitySchema {
        let form = S.form
        return EntitySchema(
            Self.self, table: form.table, id: Coding.of(S.RawID.self),
            columns: form.columns.map { $0.schema() }, unique: form.unique,
            indexed: form.indexed, searchable: form.searchable, renamedFrom: form.was)
    }
    static func column(at keyPath: PartialKeyPath<Sample>) -> Int? { nil }

    var id: EntityID<Sample>
    /// One value for each column beside the ID.
    private var values: [StoreValue]
    private let form = S.form

    init(id: EntityID<Sample>) {
        self.id = id
        values = form.columns.map(\.standard)
    }

    init(row: RowReader) throws {
        id = try EntityID(row: row, column: 0)
        values = try form.columns.enumerated().map { try $1.read(row, $0 + 1) }
    }

    func bind(_ column: Int, to parameters: ParameterWriter, at position: Int) throws {
        if column == 0 { return try parameters.bind(id, Coding.of(ID.self), at: position) }
        try values[column - 1].bind(to: parameters, at: position)
    }

    func changedColumns(from other: Sample) -> ColumnSet {
        var changed = ColumnSet()
        for position in values.indices {
            changed.insert(position + 1, if: values[position] != other.values[position])
        }
        return changed
    }

    /// Whether this version of the program has the property.
    static func has(_ name: String) -> Bool { S.form.position(name) != nil }

    /// A property; `nil`, and nowhere to go, if this version of the program has none of the name.
    subscript(name: String) -> StoreValue? {
        get { form.position(name).map { values[$0] } }
        set {
            if let position = form.position(name), let newValue { values[position] = newValue }
        }
    }
}
