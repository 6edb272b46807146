/// Groups by one key to four, for the same reason as selections of one operand to four.
extension Query {
    /// Groups the rows by one key.
    @_disfavoredOverload
    public func grouped<First: QueryOperand>(
        by keys: (E.Columns) -> First
    ) -> Grouping<E, First.Value> {
        let list = RowClosure.run(E.self) { columns in
            let first = keys(columns)
            return OperandList<E, First.Value>(first)
        }
        return Grouping(groupable, list)
    }

    /// Groups the rows by two keys.
    @_disfavoredOverload
    public func grouped<First: QueryOperand, Second: QueryOperand>(
        by keys: (E.Columns) -> (First, Second)
    ) -> Grouping<E, First.Value, Second.Value> {
        let list = RowClosure.run(E.self) { columns in
            let (first, second) = keys(columns)
            return OperandList<E, First.Value, Second.Value>(first, second)
        }
        return Grouping(groupable, list)
    }

    /// Groups the rows by three keys.
    @_disfavoredOverload
    public func grouped<First: QueryOperand, Second: QueryOperand, Third: QueryOperand>(
        by keys: (E.Columns) -> (First, Second, Third)
    ) -> Grouping<E, First.Value, Second.Value, Third.Value> {
        let list = RowClosure.run(E.self) { columns in
            let (first, second, third) = keys(columns)
            return OperandList<E, First.Value, Second.Value, Third.Value>(first, second, third)
        }
        return Grouping(groupable, list)
    }

    /// Groups the rows by four keys.
    @_disfavoredOverload
    public func grouped<
        First: QueryOperand, Second: QueryOperand, Third: QueryOperand, Fourth: QueryOperand
    >(
        by keys: (E.Columns) -> (First, Second, Third, Fourth)
    ) -> Grouping<E, First.Value, Second.Value, Third.Value, Fourth.Value> {
        let list = RowClosure.run(E.self) { columns in
            let (first, second, third, fourth) = keys(columns)
            return OperandList<E, First.Value, Second.Value, Third.Value, Fourth.Value>(
                first, second, third, fourth)
        }
        return Grouping(groupable, list)
    }
}

extension Entity {
    /// Groups all rows by one key.
    @_disfavoredOverload
    public static func grouped<First: QueryOperand>(
        by keys: (Columns) -> First
    ) -> Grouping<Self, First.Value> { query.grouped(by: keys) }

    /// Groups all rows by two keys.
    @_disfavoredOverload
    public static func grouped<First: QueryOperand, Second: QueryOperand>(
        by keys: (Columns) -> (First, Second)
    ) -> Grouping<Self, First.Value, Second.Value> { query.grouped(by: keys) }

    /// Groups all rows by three keys.
    @_disfavoredOverload
    public static func grouped<First: QueryOperand, Second: QueryOperand, Third: QueryOperand>(
        by keys: (Columns) -> (First, Second, Third)
    ) -> Grouping<Self, First.Value, Second.Value, Third.Value> { query.grouped(by: keys) }

    /// Groups all rows by four keys.
    @_disfavoredOverload
    public static func grouped<
        First: QueryOperand, Second: QueryOperand, Third: QueryOperand, Fourth: QueryOperand
    >(
        by keys: (Columns) -> (First, Second, Third, Fourth)
    ) -> Grouping<Self, First.Value, Second.Value, Third.Value, Fourth.Value> {
        query.grouped(by: keys)
    }
}
