import SkiathosStore

/// Several operands, and the decoding of their values.
struct OperandList<E: Entity, each Value: Sendable>: Sendable {
    /// The expressions, in order.
    let sources: Result<[StoreExpression], any Error>
    /// Whether what is stored has the order of the values.
    let areOrdered: [Bool]
    private let codings: (repeat ValueCoding<each Value>)

    /// Creates the list from operands of the entity.
    ///
    /// A signature cannot require yet that they belong to the entity; operands of another one are about
    /// a row around, or fail the query if there is none.
    init<each Operand: QueryOperand>(
        _ operands: repeat each Operand
    ) where (repeat (each Operand).Value) == (repeat each Value) {
        self.init(expressions: repeat Self.own(each operands))
    }

    private init(expressions operands: repeat ColumnExpression<E, each Value>) {
        var list: [Result<StoreExpression, any Error>] = []
        repeat list.append((each operands).source)
        sources = Result { [list] in try list.map { try $0.get() } }
        var ordered: [Bool] = []
        repeat ordered.append((each operands).coding.isOrdered)
        areOrdered = ordered
        codings = (repeat (each operands).coding)
    }

    /// The same list with other expressions.
    init(_ list: OperandList, sources: Result<[StoreExpression], any Error>) {
        self.sources = sources
        areOrdered = list.areOrdered
        codings = list.codings
    }

    /// A list that fails every query.
    init(refused error: any Error) {
        sources = .failure(error)
        areOrdered = []
        codings = (repeat ValueCoding<each Value>.refused)
    }

    private static func own<Operand: QueryOperand>(
        _ operand: Operand
    ) -> ColumnExpression<E, Operand.Value> {
        let expression = operand.expression
        let coding = expression.isCopy ? expression.coding : expression.coding.computed
        guard Operand.Root.self == E.self else {
            return ColumnExpression(expression.outerSource, coding)
        }
        return ColumnExpression(expression.source, coding, expression.extent)
    }

    /// Reads the results from a row, in which they begin with a position.
    func decode(_ row: RowReader, from position: Int) throws -> (repeat each Value) {
        var position = position
        func next<V>(_ coding: ValueCoding<V>) throws -> V {
            defer { position += 1 }
            return try coding.decode(row, position)
        }
        return (repeat try next(each codings))
    }

    /// Reads the results from a row.
    @Sendable
    func decode(_ row: RowReader) throws -> (repeat each Value) { try decode(row, from: 0) }
}

extension OperandList: RowDependent {
    func resolved(_ rows: RowResolution) -> OperandList {
        OperandList(self, sources: sources.map { $0.map { rows.resolve($0) } })
    }

    static func refused(_ error: any Error) -> OperandList { OperandList(refused: error) }
}
