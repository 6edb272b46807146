public import SkiathosStore

/// An expression of the columns of a row, or of a group of rows.
///
/// Created by the operators, properties and functions of columns; comparing, sorting and
/// selecting work as they do with a column.
@dynamicMemberLookup
public struct ColumnExpression<Root: Entity, Value: Sendable>: QueryOperand {
    // A value that cannot be stored, such as NaN, is found while the expression is made, where
    // nothing can be thrown; the query throws it.
    @usableFromInline let source: Result<StoreExpression, any Error>
    @usableFromInline let coding: ValueCoding<Value>
    @usableFromInline let extent: Extent

    /// Takes an expression of a known extent, unless it is too deep or too large.
    @inlinable
    init(
        _ source: Result<StoreExpression, any Error>, _ coding: ValueCoding<Value>,
        _ extent: Extent
    ) {
        self.coding = coding
        guard let refusal = extent.refusal else {
            self.source = source
            self.extent = extent
            return
        }
        self.source = .failure(refusal)
        self.extent = .leaf
    }

    @usableFromInline
    init(_ source: Result<StoreExpression, any Error>, _ coding: ValueCoding<Value>) {
        self.init(source, coding, Extent(of: source))
    }

    @usableFromInline
    init(_ source: StoreExpression, _ coding: ValueCoding<Value>) {
        self.init(.success(source), coding)
    }

    /// The expression itself.
    @inlinable public var expression: ColumnExpression { self }

    /// The expression where the order of its values counts; refused if the stored form has
    /// another order.
    @inlinable var ordered: ColumnExpression { coding.isOrdered ? self : refused }

    @usableFromInline @inline(never)
    var refused: ColumnExpression {
        ColumnExpression(
            source.flatMap { _ in .failure(Self.unordered(in: Root.schema.typeName)) }, coding)
    }

    private static func unordered(in entity: String) -> DataAccessError {
        DataAccessError(
            .invalidRequest,
            "A query of \(entity) goes by the order of values of the type \(Value.self), which are kept as JSON and have none in the store. Keep what they are ordered by in a column of its own, or sort the fetched values."
        )
    }

    /// Whether its values are those of columns, so that they are of its type if the rows are sound.
    var isCopy: Bool { (try? source.get())?.isCopy ?? true }
}

extension ColumnExpression {
    /// Makes an expression from two others of any types.
    static func combining<A, B>(
        _ first: ColumnExpression<Root, A>, _ second: ColumnExpression<Root, B>,
        _ coding: ValueCoding<Value>, _ join: (StoreExpression, StoreExpression) -> StoreExpression
    ) -> ColumnExpression {
        ColumnExpression(
            first.source.flatMap { left in second.source.map { join(left, $0) } }, coding,
            .joining(first.extent, second.extent))
    }

    /// Makes an expression from this one.
    func mapping<Other>(
        _ coding: ValueCoding<Other>, _ change: (StoreExpression) -> StoreExpression
    ) -> ColumnExpression<Root, Other> {
        ColumnExpression<Root, Other>(source.map(change), coding, extent.around)
    }

    /// A value as an expression of the same kind.
    func constant(_ value: Value) -> ColumnExpression {
        ColumnExpression(encoded(value), coding, .leaf)
    }

    /// A value as it is compared with this expression.
    @inlinable
    func encoded(_ value: Value) -> Result<StoreExpression, any Error> {
        do { return .success(.value(try coding.encode(value))) } catch { return .failure(error) }
    }
}

extension ColumnExpression: RowDependent {
    @usableFromInline
    func resolved(_ rows: RowResolution) -> ColumnExpression {
        ColumnExpression(source.map { rows.resolve($0) }, coding)
    }

    @usableFromInline
    static func refused(_ error: any Error) -> ColumnExpression {
        ColumnExpression(.failure(error), .refused, .leaf)
    }
}

extension ValueCoding {
    /// The coding of an operand that fails every query.
    static var refused: ValueCoding {
        let error = DataAccessError(
            .invalidRequest,
            "A query uses an operand that cannot be asked for. See the error of the operand itself."
        )
        return ValueCoding(
            storage: .text, isOrdered: true, encode: { _ in throw error },
            decode: { _, _ in throw error })
    }
}
