import SkiathosStore

extension RowRenderer {
    /// Appends what a column of the outermost rows is given, checked where the column cannot hold
    /// everything that might come out.
    mutating func appendValue(of assignment: StoreAssignment, _ entity: Int) throws {
        let column = column(assignment.column)
        isAssigned = true
        defer { isAssigned = false }
        switch assignment.operation {
        case .set(let expression):
            let domain = expression.isCopy ? .everything : column.domain
            try append(domain, assignment.column, entity) { renderer in
                if case .arithmetic(let operation, let left, let right, .integer) = expression,
                    domain != .everything
                {
                    // The check of the column refuses what is beyond 64 bits, too.
                    try renderer.appendPlain(operation, left, right)
                } else {
                    try renderer.append(expression)
                }
            }
        case .add(let value):
            let sum = (StoreExpression.column(assignment.column), StoreExpression.value(value))
            try append(column.domain, assignment.column, entity) { renderer in
                // SQLite itself refuses what no integer column and no required column can hold.
                guard column.storage != .integer, column.isOptional || column.storage != .real
                else { return try renderer.appendPlain(.add, sum.0, sum.1) }
                try renderer.append(.arithmetic(.add, sum.0, sum.1, column.storage))
            }
        }
    }

    private mutating func append(
        _ domain: ColumnDomain, _ column: Int, _ entity: Int,
        _ value: (inout RowRenderer) throws -> Void
    ) throws {
        switch domain {
        case .everything: return try value(&self)
        case .integers(let range):
            text.append("\(ColumnCheck.within)(")
            try value(&self)
            text.append(", \(range.lowerBound), \(range.upperBound)")
        case .reals(let range):
            text.append("\(ColumnCheck.within)(")
            try value(&self)
            // As parameters, since a text might be read as a neighbouring number.
            text.append(", ")
            text.append(.real(range.lowerBound))
            text.append(", ")
            text.append(.real(range.upperBound))
        case .singlePrecision:
            text.append("\(ColumnCheck.single)(")
            try value(&self)
        case .readable:
            text.append("\(ColumnCheck.readable)(")
            try value(&self)
            text.append(", \(entity), \(column)")
        }
        text.append(")")
    }
}
