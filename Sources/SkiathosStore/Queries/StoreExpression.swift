/// An expression over one row, in the form that every backend understands.
///
/// An expression has no value (`NULL`) if a required part of it has none, unless its case says
/// otherwise.
public enum StoreExpression: Sendable, Hashable {
    /// How two numbers are combined.
    public enum Operator: Sendable, Hashable, CaseIterable {
        /// The sum.
        case add
        /// The difference.
        case subtract
        /// The product.
        case multiply
        /// The quotient, for integers without its fraction; no value when dividing by zero.
        case divide
        /// The remainder of integers, with the sign of the dividend; no value when dividing by
        /// zero.
        case remainder
    }

    /// The value of the column at a position.
    case column(Int)
    /// Always the same value.
    case value(StoreValue)
    /// Two numbers of one storage class combined.
    ///
    /// A result that an integer or a decimal number cannot hold is an error of the statement, never
    /// another number. A floating point result that is not a number is no value in a query, and an
    /// error where a column is to hold it.
    indirect case arithmetic(Operator, StoreExpression, StoreExpression, StorageClass)
    /// A function of other expressions.
    indirect case call(StoreFunction, [StoreExpression])
    /// The first of two that has a value.
    indirect case coalesce(StoreExpression, StoreExpression)
    /// The first expression where a condition holds, else the second one.
    indirect case choose(StorePredicate, StoreExpression, StoreExpression)
    /// Computed from the row that the reference at a position leads to; no value where it leads to
    /// none.
    indirect case through(Int, StoreExpression)
    /// Computed from all rows that refer to this one and meet a condition.
    indirect case related(StoreRelation, StoreAggregate, StorePredicate?)
    /// Computed from all rows of a group, or of the whole request.
    ///
    /// Only for the results, the sort keys and the `having` of a ``ProjectionRequest``.
    indirect case aggregate(StoreAggregate)
    /// Computed from the place of a row, or of a group, among the others.
    ///
    /// Only for the results and the sort keys of a ``ProjectionRequest``.
    indirect case window(StoreWindow)
    /// Computed from rows of any entity, the same for every row unless its condition or its aggregate
    /// refers to this one by ``outer(_:_:)``.
    indirect case subquery(StoreSubquery)
    /// Computed from a row that stands around this one.
    ///
    /// In what is computed that row is the innermost one; the others stand around it as they stand here.
    indirect case outer(OuterRow, StoreExpression)

    /// A text whose upper and lower case count as the same, by Unicode's lower-case mapping.
    public static func folded(_ text: StoreExpression) -> StoreExpression {
        .call(.lowercased, [text])
    }

    /// Whether each of its values is a constant or an unchanged value of a column.
    ///
    /// A column of the same type can then hold it.
    public var isCopy: Bool {
        switch self {
        case .column, .value: true
        case .arithmetic, .call: false
        case .coalesce(let first, let second), .choose(_, let first, let second):
            first.isCopy && second.isCopy
        case .through(_, let inner), .outer(_, let inner): inner.isCopy
        case .related(_, let aggregate, _), .aggregate(let aggregate): aggregate.isCopy
        case .window(let window): window.isCopy
        case .subquery(let query): query.aggregate.isCopy
        }
    }

    /// Whether rows of a group are needed to compute it.
    public var containsAggregate: Bool {
        switch self {
        case .aggregate: true
        // Aggregates of related rows are computed for each row.
        case .column, .value, .through, .related, .subquery, .outer: false
        case .window(let window): window.parts.contains(where: \.containsAggregate)
        case .arithmetic(_, let left, let right, _), .coalesce(let left, let right):
            left.containsAggregate || right.containsAggregate
        case .call(_, let arguments): arguments.contains(where: \.containsAggregate)
        case .choose(let condition, let first, let second):
            condition.containsAggregate || first.containsAggregate || second.containsAggregate
        }
    }
}

/// A function that a backend offers to expressions.
public enum StoreFunction: Sendable, Hashable {
    /// A part of a date in the Gregorian calendar (proleptic) and Coordinated Universal Time.
    public enum DatePart: String, Sendable, Hashable, CaseIterable {
        /// The year, from 1 to 9999.
        case year
        /// The month, from 1 to 12.
        case month
        /// The day of the month, from 1 to 31.
        case day
        /// The day of the week, from 1 for Sunday to 7.
        case weekday
        /// The hour, from 0 to 23.
        case hour
        /// The minute, from 0 to 59.
        case minute
        /// The second, from 0 to 59.
        case second
    }

    /// Unicode's lower-case mapping of a text.
    case lowercased
    /// Unicode's upper-case mapping of a text.
    case uppercased
    /// A text without white space and line ends around it, by Unicode's property.
    case trimmed
    /// The number of characters of a text, as Swift counts them.
    case characterCount
    /// A text followed by another one.
    case concatenated
    /// A text, with every place of a second one replaced by a third one, compared by scalars.
    case replacing
    /// A number without its sign.
    case magnitude
    /// A floating point number rounded to the nearest integer, halves away from zero.
    case rounded
    /// An integer as a floating point number.
    case real
    /// An integer, or the text of a decimal number, as a decimal number.
    case decimal
    /// A part of a date that is kept as seconds since the beginning of 2001.
    case date(DatePart)
    /// The value in a JSON object under a key, or a path of keys; no value if there is none,
    /// or `null`.
    case field([String], StoreFieldForm)
}

/// An aggregate over several rows.
public struct StoreAggregate: Sendable, Hashable {
    /// The aggregate function.
    public enum Function: Sendable, Hashable, CaseIterable {
        /// The number of rows, or of those with a value.
        case count
        /// The sum; zero without values. One that the storage class cannot hold is an error.
        case sum
        /// The mean; no value without values. Of integers, a floating point number.
        ///
        /// A sum or a mean that is not a number, as of both infinities, is an error of the statement.
        case average
        /// The smallest value; no value without values.
        case minimum
        /// The largest value; no value without values.
        case maximum
    }

    /// The aggregate function.
    public var function: Function
    /// The expression for each row; only a count of rows has none.
    public var argument: StoreExpression?
    /// How the values are kept.
    public var storage: StorageClass
    /// Whether equal values count once.
    public var isDistinct: Bool

    /// Makes an aggregate of an expression for each row.
    public init(
        _ function: Function, _ argument: StoreExpression?, _ storage: StorageClass,
        isDistinct: Bool = false
    ) {
        self.function = function
        self.argument = argument
        self.storage = storage
        self.isDistinct = isDistinct
    }

    /// Whether what comes out is one of the values.
    var isCopy: Bool {
        switch function {
        case .minimum, .maximum: argument?.isCopy ?? false
        case .count, .sum, .average: false
        }
    }
}

/// The rows of an entity that refer to a row.
public struct StoreRelation: Sendable, Hashable {
    /// The Swift type of the entity that refers.
    public var entity: ObjectIdentifier
    /// The name of that type, for messages.
    public var entityName: String
    /// The position of the reference among its columns.
    public var reference: Int

    /// Makes the relation of the rows of an entity whose reference at a position leads to a row.
    public init(_ entity: Any.Type, reference: Int) {
        self.entity = ObjectIdentifier(entity)
        self.entityName = String(describing: entity)
        self.reference = reference
    }
}

extension StoreRelation: CustomStringConvertible {
    /// The name of the entity and the position of the reference, the same in every process.
    public var description: String { "\(entityName).\(reference)" }
}
