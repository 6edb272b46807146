import Foundation
import Skiathos

/// Queries for aggregates.
extension ScopedQueries {
    /// Aggregates of all rows of a query.
    mutating func aggregated<E: ScopeEntity>(_ entity: E.Type) -> ScopedQuery {
        let scope = scope(of: E.self)
        let test = test(scope, 2)
        let operand = generator.operand(Int.self, scope, 3)
        let found = rows(E.self, test).map { operand.value(world, [$0]) }
        let query = E.where(closure(test))
        let column: @Sendable (E.Columns) -> ColumnExpression<E, Int> = closure(operand)
        return ScopedQuery(
            text: "\(E.self).where{\(test)}.aggregate{\(operand)}",
            expected: [
                [
                    found.reduce(0, +).datum, found.max().datum, found.min().datum,
                    mean(found).datum, Set(found).count.datum,
                ]
            ], isOrdered: true,
            forms: [
                { context in
                    let row = try query.aggregate(
                        {
                            let operand = column($0)
                            return (
                                operand.sum, operand.max, operand.min, operand.average,
                                operand.distinctCount
                            )
                        }, in: context)
                    return [
                        [row.0.datum, row.1.datum, row.2.datum, row.3.datum, row.4.datum]
                    ]
                },
                { context in
                    [
                        [
                            try query.sum(of: column, in: context).datum,
                            try query.max(of: column, in: context).datum,
                            try query.min(of: column, in: context).datum,
                            try query.average(of: column, in: context).datum,
                            Set(found).count.datum,
                        ]
                    ]
                },
            ])
    }

    /// Aggregates of values that may be missing, and of decimal numbers.
    mutating func optionalsAggregated<E: ScopeEntity>(_ entity: E.Type) -> ScopedQuery {
        let scope = scope(of: E.self)
        guard scope.has(Decimal.self) else { return aggregated(E.self) }
        let test = generator.test(scope, 2)
        let number = generator.operand(Int?.self, scope, 3)
        let price = generator.operand(Decimal.self, scope, 2)
        let optional = generator.operand(Decimal?.self, scope, 2)
        let rows = rows(E.self, test)
        let numbers = rows.compactMap { number.value(world, [$0]) }
        let prices = rows.map { price.value(world, [$0]) }
        let optionals = rows.compactMap { optional.value(world, [$0]) }
        let numberColumn: @Sendable (E.Columns) -> ColumnExpression<E, Int?> = closure(number)
        let priceColumn: @Sendable (E.Columns) -> ColumnExpression<E, Decimal> = closure(price)
        let optionalColumn: @Sendable (E.Columns) -> ColumnExpression<E, Decimal?> =
            closure(optional)
        let query = E.where(closure(test))
        let selection = query.select {
            let (number, price) = (numberColumn($0), priceColumn($0))
            let optional = optionalColumn($0)
            return (
                number.sum, number.min, number.max, number.count, price.sum, price.average,
                optional.sum, optional.average
            )
        }
        let mapped = selection.map { row in
            [
                row.0.datum, row.1.datum, row.2.datum, row.3.datum, row.4.datum, row.5.datum,
                row.6.datum, row.7.datum,
            ]
        }
        return ScopedQuery(
            text:
                "\(E.self).where{\(test)}.select{\(number).sum.min.max.count, \(price).sum.average, \(optional).sum.average}",
            expected: [
                [
                    numbers.reduce(0, +).datum, numbers.min().datum, numbers.max().datum,
                    numbers.count.datum, prices.reduce(0, +).datum, mean(prices).datum,
                    optionals.reduce(0, +).datum, mean(optionals).datum,
                ]
            ], isOrdered: true,
            forms: [
                { try mapped.all(in: $0) }, { try mapped.first(in: $0).map { [$0] } ?? [] },
                { context in
                    [
                        [
                            try query.sum(of: numberColumn, in: context).datum,
                            try query.min(of: numberColumn, in: context).datum,
                            try query.max(of: numberColumn, in: context).datum,
                            numbers.count.datum,
                            try query.sum(of: priceColumn, in: context).datum,
                            try query.average(of: priceColumn, in: context).datum,
                            try query.sum(of: optionalColumn, in: context).datum,
                            try query.average(of: optionalColumn, in: context).datum,
                        ]
                    ]
                },
            ])
    }
}
