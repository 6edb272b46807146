import Foundation
import Skiathos

/// A text behind another one.
struct ConcatenationNode: OperandNode {
    let left: any OperandNode<String>
    let right: any OperandNode<String>

    var description: String { "(\(left) + \(right))" }

    func native<R: ScopeEntity>(_ stack: Stack) -> ColumnExpression<R, String> {
        let left: ColumnExpression<R, String> = left.native(stack)
        let right: ColumnExpression<R, String> = right.native(stack)
        return left + right
    }

    func value(_ world: ScopeWorld, _ rows: [Int]) -> String {
        left.value(world, rows) + right.value(world, rows)
    }
}

/// A text in another form.
struct TextFormNode: OperandNode {
    enum Form: CaseIterable { case lowercased, uppercased, trimmed, replacing }

    let operand: any OperandNode<String>
    let form: Form

    var description: String { "\(operand).\(form)" }

    func native<R: ScopeEntity>(_ stack: Stack) -> ColumnExpression<R, String> {
        let operand: ColumnExpression<R, String> = operand.native(stack)
        return switch form {
        case .lowercased: operand.lowercased()
        case .uppercased: operand.uppercased()
        case .trimmed: operand.trimmed
        case .replacing: operand.replacing("a", with: "zz")
        }
    }

    // None of the texts has white space.
    func value(_ world: ScopeWorld, _ rows: [Int]) -> String {
        let text = operand.value(world, rows)
        return switch form {
        case .lowercased: text.lowercased()
        case .uppercased: text.uppercased()
        case .trimmed: text
        case .replacing: text.unicodeScalars.map { $0 == "a" ? "zz" : String($0) }.joined()
        }
    }
}

/// The number of characters.
struct LengthNode: OperandNode {
    let operand: any OperandNode<String>

    var description: String { "\(operand).length" }

    func native<R: ScopeEntity>(_ stack: Stack) -> ColumnExpression<R, Int> {
        let operand: ColumnExpression<R, String> = operand.native(stack)
        return operand.length
    }

    func value(_ world: ScopeWorld, _ rows: [Int]) -> Int { operand.value(world, rows).count }
}
