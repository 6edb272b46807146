package import Foundation
package import Skiathos

extension Int: OrderedScopeValue {
    package static func fields<E: ScopeEntity>(of entity: E.Type) -> [Field<E, Int>] {
        E.fields.numbers
    }
    package static func optionalFields<E: ScopeEntity>(of entity: E.Type) -> [Field<E, Int?>] {
        E.fields.optionalNumbers
    }
    package static func random(_ values: inout RandomValues) -> Int { values.number() }
    package var datum: Datum { .integer(self) }
}

extension Double: OrderedScopeValue {
    package static func fields<E: ScopeEntity>(of entity: E.Type) -> [Field<E, Double>] {
        E.fields.weights
    }
    package static func optionalFields<E: ScopeEntity>(of entity: E.Type) -> [Field<E, Double?>] {
        E.fields.optionalWeights
    }
    package static func random(_ values: inout RandomValues) -> Double { values.weight() }
    package var datum: Datum { .real(self) }
}

extension String: OrderedScopeValue {
    package static func fields<E: ScopeEntity>(of entity: E.Type) -> [Field<E, String>] {
        E.fields.texts
    }
    package static func optionalFields<E: ScopeEntity>(of entity: E.Type) -> [Field<E, String?>] {
        E.fields.optionalTexts
    }
    package static func random(_ values: inout RandomValues) -> String { values.text() }
    package var datum: Datum { .text(Array(utf8)) }
}

extension Decimal: OrderedScopeValue {
    package static func fields<E: ScopeEntity>(of entity: E.Type) -> [Field<E, Decimal>] {
        E.fields.prices
    }
    package static func optionalFields<E: ScopeEntity>(of entity: E.Type) -> [Field<E, Decimal?>] {
        E.fields.optionalPrices
    }
    package static func random(_ values: inout RandomValues) -> Decimal { values.price() }
    package var datum: Datum { .decimal(self) }
}

extension Date: OrderedScopeValue {
    package static func fields<E: ScopeEntity>(of entity: E.Type) -> [Field<E, Date>] {
        E.fields.dates
    }
    package static func optionalFields<E: ScopeEntity>(of entity: E.Type) -> [Field<E, Date?>] {
        E.fields.optionalDates
    }
    package static func random(_ values: inout RandomValues) -> Date { values.date() }
    package var datum: Datum { .real(timeIntervalSinceReferenceDate) }
}

// The ID of an entity is a column of it, and a reference one of others.
extension EntityID: ScopeValue, WrappedScopeValue, OrderedScopeValue where E: ScopeEntity {
    package static func fields<Other: ScopeEntity>(of entity: Other.Type) -> [Field<Other, Self>] {
        (E.key as? Field<Other, Self>).map { [$0] } ?? []
    }
    package static func optionalFields<Other: ScopeEntity>(
        of entity: Other.Type
    ) -> [Field<Other, Self?>] {
        Other.fields.persons as? [Field<Other, Self?>]
            ?? (Other.fields.teams as? [Field<Other, Self?>] ?? [])
    }
    package static func random(_ values: inout RandomValues) -> Self {
        EntityID(rawValue: values.id(ScopeWorld.persons))
    }
    package var datum: Datum { .integer(Int(rawValue)) }
}

// Without an order: the same or not.
extension Bool: WrappedScopeValue {
    package static var comparisons: [Comparison] { [.equal, .notEqual] }
    package static var comparisonsWithValues: [Comparison] { comparisons }
    package static var optionalComparisons: [Comparison] { comparisons }
    package static var optionalComparisonsWithValues: [Comparison] { comparisons }

    package static func compare<E: Entity>(
        _ left: ColumnExpression<E, Bool>, _ comparison: Comparison,
        _ right: ColumnExpression<E, Bool>
    ) -> Condition<E> { comparison == .equal ? left == right : left != right }

    package static func compare<E: Entity>(
        _ left: ColumnExpression<E, Bool>, _ comparison: Comparison, _ value: Bool
    ) -> Condition<E> { comparison == .equal ? left == value : left != value }

    package static func compareOptionals<E: Entity>(
        _ left: ColumnExpression<E, Bool?>, _ comparison: Comparison,
        _ right: ColumnExpression<E, Bool?>
    ) -> Condition<E> { comparison == .equal ? left == right : left != right }

    package static func compareOptional<E: Entity>(
        _ left: ColumnExpression<E, Bool?>, _ comparison: Comparison, _ value: Bool
    ) -> Condition<E> { comparison == .equal ? left == value : left != value }

    package static func fields<E: ScopeEntity>(of entity: E.Type) -> [Field<E, Bool>] {
        E.fields.flags
    }
    package static func optionalFields<E: ScopeEntity>(of entity: E.Type) -> [Field<E, Bool?>] {
        E.fields.optionalFlags
    }
    package static func random(_ values: inout RandomValues) -> Bool { values.flag() }
    package var datum: Datum { .integer(self ? 1 : 0) }
}
