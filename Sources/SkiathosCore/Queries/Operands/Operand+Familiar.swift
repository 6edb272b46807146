/// Functions of Swift's texts, sequences and ranges, under the same names.
extension QueryOperand where Value == String {
    /// The text has no characters.
    public var isEmpty: Condition<Root> { self == "" }
}

extension QueryOperand where Value == String? {
    /// The text has no characters; never true where there is no text.
    public var isEmpty: Condition<Root> { self == "" }
}

extension Sequence {
    /// The column has one of these values.
    ///
    /// ```swift
    /// try User.all(where: { [20, 30, 40].contains($0.age) }, in: context)   // "age" IN (20, 30, 40)
    /// ```
    @_disfavoredOverload
    public func contains<Operand: QueryOperand>(
        _ operand: Operand
    ) -> Condition<Operand.Root> where Operand.Value == Element { operand.in(Array(self)) }
}

extension ColumnRange {
    /// The column's value lies in the range.
    ///
    /// ```swift
    /// try User.all(where: { (18..<65).contains($0.age) }, in: context)
    /// // "age" >= 18 AND "age" < 65
    /// ```
    public func contains<Operand: QueryOperand>(
        _ operand: Operand
    ) -> Condition<Operand.Root> where Operand.Value == Bound { operand.in(self) }
}
