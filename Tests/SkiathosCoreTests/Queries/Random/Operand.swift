import Foundation
import Skiathos

/// All specimens, and what Swift makes of them.
struct SpecimenModel: Sendable {
    let rows: [Specimen]
    private let byID: [Specimen.ID: Specimen]
    private let byParent: [Specimen.ID: [Specimen]]

    init(_ rows: [Specimen]) {
        self.rows = rows
        byID = Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0) })
        byParent = Dictionary(grouping: rows.filter { $0.parent != nil }) {
            $0.parent ?? .unassigned
        }
    }

    func parent(of row: Specimen) -> Specimen? { row.parent.flatMap { byID[$0] } }

    func children(of row: Specimen) -> [Specimen] { byParent[row.id] ?? [] }
}

/// The variable of a predicate, and a part of one.
typealias SpecimenVariable = PredicateExpressions.Variable<Specimen>
typealias PredicatePart<Value> = (SpecimenVariable) -> any StandardPredicateExpression<Value>

/// Something that is computed from a specimen, in three forms: for the store, in Swift, and, where
/// it can be said so, in a predicate of Foundation.
///
/// For the store it is a function of the columns, since each closure of a query has columns of its own.
struct Operand<Value: CellValue> {
    let text: String
    let native: (Specimen.Columns) -> ColumnExpression<Specimen, Value>
    let model: (SpecimenModel, Specimen) -> Value
    var part: PredicatePart<Value>?

    init(
        _ text: String,
        _ native: @escaping (Specimen.Columns) -> some QueryOperand<Specimen, Value>,
        _ model: @escaping (SpecimenModel, Specimen) -> Value, _ part: PredicatePart<Value>? = nil
    ) {
        self.text = text
        self.native = { native($0).expression }
        self.model = model
        self.part = part
    }
}

/// A condition on specimens in the same forms.
struct Test {
    let text: String
    let native: (Specimen.Columns) -> Condition<Specimen>
    let model: (SpecimenModel, Specimen) -> Bool
    var part: PredicatePart<Bool>?

    init(
        _ text: String, _ native: @escaping (Specimen.Columns) -> Condition<Specimen>,
        _ model: @escaping (SpecimenModel, Specimen) -> Bool, _ part: PredicatePart<Bool>? = nil
    ) {
        self.text = text
        self.native = native
        self.model = model
        self.part = part
    }
}

/// A column of the specimen.
func column<Value: CellValue & Codable>(
    _ text: String, _ column: @escaping (Specimen.Columns) -> Column<Specimen, Value>,
    _ keyPath: any KeyPath<Specimen, Value> & Sendable
) -> Operand<Value> {
    Operand(
        text, column, { $1[keyPath: keyPath] },
        { PredicateExpressions.build_KeyPath(root: $0, keyPath: keyPath) })
}
