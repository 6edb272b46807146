import Skiathos
import Testing

/// Operands that may have no value.
struct OptionalOperandTests {
    @Test func `another optional operand of the same type replaces a missing value`() async throws {
        try await RentalShop.with { (dal) async throws in
            // The operator of the standard library would drop the second operand.
            let columns = Worker.where { ($0.nickname ?? $0.nickname) == "x" }
            #expect(try await columns.tail(in: dal) == #"(coalesce("nickname", "nickname") = ?)"#)
            let expressions = Worker.where {
                ($0.manager.nickname.optionalText ?? $0.nickname.optionalText) == "x"
            }
            #expect(try await expressions.names(in: dal) == "Ada Cyd Dan")
        }
    }
}

extension QueryOperand where Value == String? {
    /// The operand as an expression.
    fileprivate var optionalText: ColumnExpression<Root, String?> { expression }
}
