/// Selections of one operand to four, with types that the compiler knows at once.
///
/// With a pack of types alone the compiler fails where the rows are used in the same
/// expression, as in
/// `User.select { ($0.name, $0.age) }.all(in: context).map { Card($0.0, $0.1) }`. These
/// overloads rank below the pack, so that the compiler tries them only then; with more than
/// four operands, assign the rows to a variable first.
extension Query {
    /// Computes one operand from each row.
    @_disfavoredOverload
    public func select<First: QueryOperand>(
        _ operands: (E.Columns) -> First
    ) -> Selection<E, First.Value> {
        let list = RowClosure.run(E.self) { columns in
            let first = operands(columns)
            return OperandList<E, First.Value>(first)
        }
        return Selection(
            query: self, results: list.sources, areOrdered: list.areOrdered, decode: list.decode)
    }

    /// Computes two operands from each row.
    @_disfavoredOverload
    public func select<First: QueryOperand, Second: QueryOperand>(
        _ operands: (E.Columns) -> (First, Second)
    ) -> Selection<E, (First.Value, Second.Value)> {
        let list = RowClosure.run(E.self) { columns in
            let (first, second) = operands(columns)
            return OperandList<E, First.Value, Second.Value>(first, second)
        }
        return Selection(
            query: self, results: list.sources, areOrdered: list.areOrdered, decode: list.decode)
    }

    /// Computes three operands from each row.
    @_disfavoredOverload
    public func select<First: QueryOperand, Second: QueryOperand, Third: QueryOperand>(
        _ operands: (E.Columns) -> (First, Second, Third)
    ) -> Selection<E, (First.Value, Second.Value, Third.Value)> {
        let list = RowClosure.run(E.self) { columns in
            let (first, second, third) = operands(columns)
            return OperandList<E, First.Value, Second.Value, Third.Value>(first, second, third)
        }
        return Selection(
            query: self, results: list.sources, areOrdered: list.areOrdered, decode: list.decode)
    }

    /// Computes four operands from each row.
    @_disfavoredOverload
    public func select<
        First: QueryOperand, Second: QueryOperand, Third: QueryOperand, Fourth: QueryOperand
    >(
        _ operands: (E.Columns) -> (First, Second, Third, Fourth)
    ) -> Selection<E, (First.Value, Second.Value, Third.Value, Fourth.Value)> {
        let list = RowClosure.run(E.self) { columns in
            let (first, second, third, fourth) = operands(columns)
            return OperandList<E, First.Value, Second.Value, Third.Value, Fourth.Value>(
                first, second, third, fourth)
        }
        return Selection(
            query: self, results: list.sources, areOrdered: list.areOrdered, decode: list.decode)
    }
}

extension Entity {
    /// Computes one operand from each row.
    @_disfavoredOverload
    public static func select<First: QueryOperand>(
        _ operands: (Columns) -> First
    ) -> Selection<Self, First.Value> { query.select(operands) }

    /// Computes two operands from each row.
    @_disfavoredOverload
    public static func select<First: QueryOperand, Second: QueryOperand>(
        _ operands: (Columns) -> (First, Second)
    ) -> Selection<Self, (First.Value, Second.Value)> { query.select(operands) }

    /// Computes three operands from each row.
    @_disfavoredOverload
    public static func select<First: QueryOperand, Second: QueryOperand, Third: QueryOperand>(
        _ operands: (Columns) -> (First, Second, Third)
    ) -> Selection<Self, (First.Value, Second.Value, Third.Value)> { query.select(operands) }

    /// Computes four operands from each row.
    @_disfavoredOverload
    public static func select<
        First: QueryOperand, Second: QueryOperand, Third: QueryOperand, Fourth: QueryOperand
    >(
        _ operands: (Columns) -> (First, Second, Third, Fourth)
    ) -> Selection<Self, (First.Value, Second.Value, Third.Value, Fourth.Value)> {
        query.select(operands)
    }
}
