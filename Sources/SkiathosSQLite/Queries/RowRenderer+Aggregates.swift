import SkiathosStore

/// Aggregates, of groups, of the rows of a relation or over a window.
extension RowRenderer {
    /// Appends an aggregate of a group, or of the rows that a window says.
    mutating func append(_ aggregate: StoreAggregate, over window: StoreWindow? = nil) throws {
        guard let argument = aggregate.argument else {
            text.append("count(*)")
            return try appendFrame(window)
        }
        let isDecimal = aggregate.storage == .decimal
        let (opening, closing) =
            switch aggregate.function {
            case .count: ("count(", "")
            case .sum where isDecimal: (DecimalAggregates.sum + "(", "")
            case .sum where aggregate.storage == .real: ("\(RealAggregates.number)(total(", ")")
            case .sum: ("coalesce(sum(", ", 0)")
            case .average where isDecimal: (DecimalAggregates.average + "(", "")
            case .average where aggregate.storage == .real: (RealAggregates.average + "(", "")
            case .average: ("avg(", "")
            case .minimum: ("min(", "")
            case .maximum: ("max(", "")
            }
        text.append(opening + (aggregate.isDistinct ? "DISTINCT " : ""))
        // SQLite takes an aggregate whose argument has columns of outer rows alone for one of those rows
        // (sqlite3ReferencesSrcList in its expr.c). A column of the inner row is added, in a form that
        // SQLite does not simplify, as it may do with the others.
        let readsOuterRows = StorePart.expression(argument).readsOuterRows
        if readsOuterRows { text.append("CASE WHEN typeof(\(scope.column(0))) <> 'null' THEN ") }
        try append(argument)
        if readsOuterRows { text.append(" END") }
        if aggregate.function == .minimum || aggregate.function == .maximum {
            try appendCollation(of: argument)
        }
        text.append(")")
        try appendFrame(window)
        text.append(closing)
    }
}

extension StoreAggregate {
    /// How what comes out is kept.
    var resultStorage: StorageClass {
        switch function {
        case .count: .integer
        case .average: storage == .decimal ? .decimal : .real
        case .sum, .minimum, .maximum: storage
        }
    }
}
