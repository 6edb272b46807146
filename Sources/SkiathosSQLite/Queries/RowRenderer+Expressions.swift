import SkiathosStore

extension RowRenderer {
    /// Appends an expression, in parentheses where it has parts.
    mutating func append(_ expression: StoreExpression) throws {
        switch expression {
        case .column(let position): text.append(scope.column(position))
        case .value(let value): text.append(value)
        case .arithmetic(let operation, let left, let right, let storage):
            try appendArithmetic(operation, left, right, storage)
        case .call(let function, let arguments): try append(function, arguments)
        case .coalesce(let first, let second): try append("coalesce", [first, second])
        case .choose(let condition, let first, let second):
            try appendChoice(condition, first, second)
        case .through(let reference, let inner): try appendThrough(reference, inner)
        case .related(let relation, let aggregate, let condition):
            try append(aggregate, of: relation, where: condition)
        case .aggregate(let aggregate): try append(aggregate)
        case .window(let window): try append(window)
        case .subquery(let query): try append(query)
        case .outer(let row, let inner):
            try withOuterRow(row, for: .expression(inner)) { try $0.append(inner) }
        }
    }

    private mutating func appendChoice(
        _ condition: StorePredicate, _ first: StoreExpression, _ second: StoreExpression
    ) throws {
        text.append("(CASE WHEN ")
        try append(condition)
        text.append(" THEN ")
        try append(first)
        text.append(" ELSE ")
        try append(second)
        // The order of decimal numbers that the condition names would go over to what is chosen
        // (sqlite.org/datatype3.html, section 7.1).
        let isText = try storage(of: first) == .text
        text.append(isText ? " END COLLATE BINARY)" : " END)")
    }

    /// Appends an expression, followed by the order of its values where that is not SQLite's.
    mutating func appendCollated(_ expression: StoreExpression) throws {
        try append(expression)
        try appendCollation(of: expression)
    }

    mutating func appendCollation(of expression: StoreExpression) throws {
        if try storage(of: expression) == .decimal {
            text.append(" COLLATE \(DecimalOrder.collation)")
        }
    }

    private mutating func appendArithmetic(
        _ operation: StoreExpression.Operator, _ left: StoreExpression, _ right: StoreExpression,
        _ storage: StorageClass
    ) throws {
        guard storage != .decimal else {
            guard let function = DecimalArithmetic.function(operation) else {
                throw StoreError(
                    .invalidRequest,
                    "A query asks for the remainder of decimal numbers, which is not computed. Use integers.",
                    entity: scope.entitySQL.entity.table)
            }
            return try append(function, [left, right])
        }
        if isAssigned, storage == .real, let function = RealArithmetic.function(operation) {
            return try append(function, [left, right])
        }
        // A sum beyond 64 bits becomes a floating point number in SQLite, which is no answer.
        text.append(storage == .integer ? "\(IntegerCheck.function)(" : "(")
        try appendPlain(operation, left, right)
        text.append(")")
    }

    /// Appends two numbers with an operator of SQLite's between them.
    mutating func appendPlain(
        _ operation: StoreExpression.Operator, _ left: StoreExpression, _ right: StoreExpression
    ) throws {
        try append(left)
        text.append(" \(operation.sign) ")
        try append(right)
    }

    private mutating func append(_ function: StoreFunction, _ arguments: [StoreExpression]) throws {
        switch function {
        case .lowercased: try append(TextFolding.function, arguments)
        case .uppercased: try append(TextFunctions.uppercased, arguments)
        case .trimmed: try append(TextFunctions.trimmed, arguments)
        case .characterCount: try append(TextFunctions.characterCount, arguments)
        case .concatenated:
            text.append("(")
            try append(arguments, separator: " || ")
            text.append(")")
        case .replacing: try append("replace", arguments)
        case .magnitude: try append("abs", arguments)
        case .rounded: try append("round", arguments)
        case .real, .decimal:
            text.append("CAST(")
            try append(arguments, separator: ", ")
            text.append(function == .real ? " AS REAL)" : " AS TEXT)")
        case .date(let part): try append(DateParts.function(part), arguments)
        case .field(let names, let form): try appendField(names, form, of: arguments)
        }
    }

    /// Appends the call of a function.
    private mutating func append(_ function: String, _ arguments: [StoreExpression]) throws {
        text.append(function + "(")
        try append(arguments, separator: ", ")
        text.append(")")
    }

    mutating func append(_ parts: [StoreExpression], separator: String) throws {
        for (position, part) in parts.enumerated() {
            if position > 0 { text.append(separator) }
            try append(part)
        }
    }

    private mutating func appendThrough(_ reference: Int, _ inner: StoreExpression) throws {
        try withScope(of: try target(ofReference: reference)) { renderer, outer in
            renderer.text.append("(SELECT ")
            try renderer.append(inner)
            renderer.text.append(
                " FROM \(renderer.source) WHERE \(renderer.scope.column(0)) = \(outer.outerColumn(reference)))"
            )
        }
    }

    private mutating func append(
        _ aggregate: StoreAggregate, of relation: StoreRelation, where condition: StorePredicate?
    ) throws {
        try withScope(of: try entity(of: relation)) { renderer, outer in
            renderer.text.append("(SELECT ")
            try renderer.append(aggregate)
            try renderer.appendReferring(relation, to: outer, where: condition)
            renderer.text.append(")")
        }
    }

    /// Appends the rows of a relation, from the `FROM` on.
    mutating func appendReferring(
        _ relation: StoreRelation, to outer: Scope, where condition: StorePredicate?
    ) throws {
        text.append(" FROM \(source)")
        try appendWhere(
            "\(scope.column(relation.reference)) = \(outer.outerColumn(0))", and: condition)
    }

    /// Appends how the rows of a query inside of another one are connected with it, and their condition.
    mutating func appendWhere(_ connection: String, and condition: StorePredicate?) throws {
        text.append(" WHERE ")
        guard let condition else { return text.append(connection) }
        guard isDeep([condition]) else {
            text.append(connection + " AND ")
            return try append(condition)
        }
        try append(condition)
        text.append(" AND " + connection)
    }

    private mutating func append(_ query: StoreSubquery) throws {
        guard let entity = schema.position(of: query) else { throw unknown(query.entityName) }
        try withScope(of: entity) { renderer, _ in
            renderer.text.append("(SELECT ")
            try renderer.append(query.aggregate)
            renderer.text.append(" FROM \(renderer.source)")
            if let condition = query.condition {
                renderer.text.append(" WHERE ")
                try renderer.append(condition)
            }
            renderer.text.append(")")
        }
    }
}

extension RowRenderer {
    /// How the values of an expression are kept.
    func storage(of expression: StoreExpression) throws -> StorageClass {
        try storage(of: expression, in: rows)
    }

    /// - Parameter rows: The entities of the rows that the expression stands in, the innermost last.
    private func storage(
        of expression: StoreExpression, in rows: [EntitySchema]
    ) throws -> StorageClass {
        let entity = rows[rows.count - 1]
        return switch expression {
        case .column(let position): entity.columns[position].storage
        case .value(let value): value.storage
        case .arithmetic(_, _, _, let storage): storage
        case .call(let function, let arguments):
            switch function {
            case .magnitude: try arguments.first.map { try storage(of: $0, in: rows) } ?? .real
            case .characterCount, .date: .integer
            case .rounded, .real: .real
            case .decimal: .decimal
            case .lowercased, .uppercased, .trimmed, .concatenated, .replacing: .text
            case .field(_, let form): form.storage
            }
        case .coalesce(let first, _), .choose(_, let first, _):
            try storage(of: first, in: rows)
        case .through(let reference, let inner):
            try storage(
                of: inner, in: rows + [try target(ofReference: reference, of: entity)])
        case .related(_, let aggregate, _), .aggregate(let aggregate): aggregate.resultStorage
        case .window(let window):
            switch window.function {
            case .rowNumber, .rank, .denseRank: .integer
            case .previous(let value, _), .next(let value, _): try storage(of: value, in: rows)
            case .aggregate(let aggregate): aggregate.resultStorage
            }
        case .subquery(let query): query.aggregate.resultStorage
        case .outer(let row, let inner):
            // Appending the expression has refused a row that is not there.
            try storage(
                of: inner,
                in: rows
                    + [rows[rows.count - 1 - (try row.distance(of: inner, in: schema))]])
        }
    }

    private func target(ofReference position: Int, of entity: EntitySchema) throws -> EntitySchema {
        guard let reference = entity.columns[position].reference,
            let target = schema.target(of: reference)
        else {
            // Appending the expression has refused it already.
            return entity
        }
        return schema.entities[target]
    }

    /// Whether an expression may have no value.
    func mayBeNull(_ expression: StoreExpression) -> Bool {
        switch expression {
        case .column(let position): column(position).isOptional
        case .outer(let row, .column(let position)):
            (try? outerRow(row, for: .expression(.column(position))))?.entitySQL.entity.columns[
                position
            ].isOptional ?? true
        case .value(let value): value == .null
        case .coalesce(let first, let second): mayBeNull(first) && mayBeNull(second)
        default: true
        }
    }
}

extension StoreExpression.Operator {
    /// The operator as SQL writes it.
    fileprivate var sign: String {
        switch self {
        case .add: "+"
        case .subtract: "-"
        case .multiply: "*"
        case .divide: "/"
        case .remainder: "%"
        }
    }
}

extension StoreValue {
    /// The storage class that the value itself shows.
    fileprivate var storage: StorageClass {
        switch self {
        case .null, .integer: .integer
        case .real: .real
        case .text: .text
        case .blob: .blob
        }
    }
}
