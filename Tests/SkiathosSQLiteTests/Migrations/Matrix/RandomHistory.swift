import ReliabilityKit
import SkiathosCore
import SkiathosLocks
import SkiathosStore
import Synchronization
import TestSupport

/// An entity whose columns a random history changes.
enum Evolving: Shape {
    /// The form in the program that is being tested, set before its stores are opened.
    static let present = Lock(Form(table: "", columns: []))
    static var form: Form { present.withLock { $0 } }
}

/// How a column may keep a number.
enum NumberKind: CaseIterable {
    case text, integer, real

    func stored(_ number: Int64?) -> StoreValue {
        guard let number else { return .null }
        return switch self {
        case .text: .text("\(number)")
        case .integer: .integer(number)
        case .real: .real(Double(number))
        }
    }

    /// The number in a value and how it is kept, or `nil` for no value.
    static func number(in value: StoreValue?) -> (Int64, NumberKind)? {
        switch value {
        case .text(let text)?: (Int64(text) ?? -1, .text)
        case .integer(let number)?: (number, .integer)
        case .real(let number)?: (Int64(number), .real)
        default: nil
        }
    }
}

/// A column from when it is added until it is removed, whatever its name.
struct Lineage {
    var id: Int
    var name: String
    var formerNames: [String] = []
    var kind: NumberKind {
        didSet { formerKinds.append(oldValue) }
    }
    var formerKinds: [NumberKind] = []
    var isOptional: Bool
    var isUnique = false
}

/// The change from one version to the next.
enum HistoryChange {
    case add(Lineage, from: Int)
    case addWithDefault(Lineage)
    case remove(Int)
    case rename(Int, String)
    case convert(Int, NumberKind)
    case increment(Int)
    case require(Int)
    case relax(Int)
    case makeUnique(Int)
    case renameTable(String)
}

/// Twelve versions of one entity, each a random change away from the last.
struct RandomHistory {
    struct State {
        var table = "t0"
        var formerTables: [String] = []
        var columns: [Lineage]

        subscript(_ id: Int) -> Lineage? { columns.first { $0.id == id } }

        var form: Form {
            Form(
                table: table,
                columns: columns.map { column in
                    Form.Column(
                        column.name, column.formKind,
                        column.isOptional ? .null : column.kind.stored(7),
                        was: column.formerNames)
                }, unique: columns.filter(\.isUnique).map { [$0.name] }, was: formerTables)
        }
    }

    /// The versions, the first one at position 0.
    private(set) var states: [State]
    /// The changes; that at a position leads from its version to the next.
    private(set) var changes: [HistoryChange] = []
    private var random: SeededNumbers
    private var names = 0

    init(seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        let columns = (0..<4).map { id in
            Lineage(
                id: id, name: "c\(id)",
                kind: NumberKind.allCases.randomElement(using: &random) ?? .text,
                isOptional: Bool.random(using: &random))
        }
        self.random = random
        states = [State(columns: columns)]
        while states.count < 12 { step() }
    }

    private mutating func step() {
        guard var state = states.last else { return }
        let ids = state.columns.map(\.id)
        names += 1
        guard let id = ids.randomElement(using: &random), let column = state[id],
            let place = state.columns.firstIndex(where: { $0.id == id })
        else { return }
        let change: HistoryChange
        switch Int.random(in: 0..<12, using: &random) {
        case 0:
            let new = newColumn()
            // Of the first ones, every store knows what it needs.
            let origins = ids.filter { $0 < 4 }
            guard let origin = origins.randomElement(using: &random) else { return }
            change = .add(new, from: origin)
            state.columns.insert(new, at: place)
        case 1:
            let new = newColumn()
            change = .addWithDefault(new)
            state.columns.append(new)
        case 2:
            guard ids.count > 2 else { return }
            change = .remove(id)
            state.columns.remove(at: place)
        case 3:
            change = .rename(id, "r\(names)")
            state.columns[place].formerNames.append(column.name)
            state.columns[place].name = "r\(names)"
        case 4, 5, 6:
            // None returns: a step tells by the kind that it finds how far the store had come.
            let kinds = NumberKind.allCases.filter {
                $0 != column.kind && !column.formerKinds.contains($0)
            }
            guard let kind = kinds.randomElement(using: &random) else { return }
            change = .convert(id, kind)
            state.columns[place].kind = kind
        case 7, 8: change = .increment(id)
        case 9:
            // What is added has a default, which an optional column would not take from it.
            guard id < 4 else { return }
            change = column.isOptional ? .require(id) : .relax(id)
            state.columns[place].isOptional.toggle()
        case 10:
            guard !column.isUnique else { return }
            change = .makeUnique(id)
            state.columns[place].isUnique = true
        default:
            change = .renameTable("t\(names)")
            state.formerTables.append(state.table)
            state.table = "t\(names)"
        }
        changes.append(change)
        states.append(state)
    }

    private mutating func newColumn() -> Lineage {
        Lineage(
            id: 100 + names, name: "n\(names)",
            kind: NumberKind.allCases.randomElement(using: &random) ?? .text, isOptional: false)
    }

    // MARK: Plain Swift

    /// Rows of the first version: numbers by column, by ID.
    func rows() -> [Int64: [Int: Int64]] {
        var rows: [Int64: [Int: Int64]] = [:]
        for id in Int64(1)...20 {
            rows[id] = [:]
            for column in states[0].columns where !column.isOptional || (id + 1) % 3 != 0 {
                rows[id, default: [:]][column.id] = id * 3 + Int64(column.id)
            }
        }
        return rows
    }

    /// The rows after the change that leads to a version, which is counted from 0.
    func advance(_ rows: [Int64: [Int: Int64]], to version: Int) -> [Int64: [Int: Int64]] {
        var rows = rows
        for id in Int64(1)...20 {
            var row = rows[id] ?? [:]
            switch changes[version - 1] {
            case .add(let column, let origin): row[column.id] = (row[origin] ?? 3) * 2
            case .addWithDefault(let column): row[column.id] = 7
            case .remove(let column): row[column] = nil
            case .increment(let column): row[column] = row[column].map { $0 + 1 }
            case .require(let column): row[column] = row[column] ?? 1_000
            case .makeUnique(let column): row[column] = 5_000 + id
            case .rename, .convert, .relax, .renameTable: break
            }
            rows[id] = row
        }
        return rows
    }

    /// The rows as the store has them.
    func stored(_ rows: [Int64: [Int: Int64]], version: Int) -> [[StoreValue]] {
        rows.sorted { $0.key < $1.key }.map { id, row in
            [.integer(id)] + states[version].columns.map { $0.kind.stored(row[$0.id]) }
        }
    }
}

extension Lineage {
    fileprivate var formKind: Form.Kind {
        switch (kind, isOptional) {
        case (.text, false): .text
        case (.text, true): .optionalText
        case (.integer, false): .integer
        case (.integer, true): .optionalInteger
        case (.real, false): .real
        case (.real, true): .optionalReal
        }
    }
}
