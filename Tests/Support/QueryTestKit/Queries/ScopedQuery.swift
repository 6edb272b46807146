package import Skiathos

/// A query of several closures, and what Swift makes of the same rows.
package struct ScopedQuery: Sendable {
    /// What it asks for.
    package let text: String
    let expected: [[Datum]]
    /// Whether the rows come in a certain order.
    let isOrdered: Bool
    /// Runs it in each of its forms.
    let forms: [@Sendable (ReadContext) throws -> [[Datum]]]

    /// Runs it.
    package func outcome(in context: ReadContext) -> Outcome {
        Outcome(text) {
            for form in forms {
                if let difference = difference(try form(context)) { return difference }
            }
            return nil
        }
    }

    private func difference(_ found: [[Datum]]) -> String? {
        let isSame =
            isOrdered
            ? found == expected
            : Dictionary(found.map { ($0, 1) }, uniquingKeysWith: +)
                == Dictionary(expected.map { ($0, 1) }, uniquingKeysWith: +)
        return isSame ? nil : "expected \(expected)\n  found    \(found)"
    }
}

/// Makes random queries of several closures about random rows.
package struct ScopedQueries: Sendable {
    /// The rows that queries are about.
    package var world: ScopeWorld
    /// Whether closures use columns of outer rows; without, the queries are about other closures only
    /// in their relations.
    package var hasOuterColumns = true
    var generator: ScopeGenerator

    package init(seed: UInt64) {
        var values = RandomValues(seed: seed)
        world = ScopeWorld(&values)
        generator = ScopeGenerator(seed: values.random.next())
    }

    /// Another query.
    package mutating func next() -> ScopedQuery {
        generator.begin()
        let entity = generator.entity()
        return switch generator.below(16) {
        case 0, 1: selected(entity)
        case 2, 3: grouped(entity)
        case 4: ranked(entity)
        case 5: joined(entity, generator.entity())
        case 6: combined(entity)
        case 7: generator.happens(50) ? aggregated(entity) : optionalsAggregated(entity)
        default: fetched(entity)
        }
    }

    /// The closure of the query itself.
    func scope<E: ScopeEntity>(of entity: E.Type) -> Scope {
        Scope(E.self, hasOuterColumns: hasOuterColumns)
    }

    /// A condition, most often one with closures.
    mutating func test(_ scope: Scope, _ depth: Int) -> any TestNode {
        generator.happens(90) ? generator.scoped(scope, depth) : generator.test(scope, depth)
    }

    /// The rows that meet a condition.
    func rows<E: ScopeEntity>(_ entity: E.Type, _ test: any TestNode) -> [Int] {
        E.rows(in: world).indices.filter { test.holds(world, [$0]) }
    }

    func id<E: ScopeEntity>(_ entity: E.Type, _ row: Int) -> Datum {
        E.rows(in: world)[row].id.datum
    }
}

/// A part of a query as the closure of the query itself.
func closure<E: ScopeEntity>(
    _ test: any TestNode
) -> @Sendable (E.Columns) -> Condition<E> {
    test.closure(E.self, Stack())
}

func closure<E: ScopeEntity, V: ScopeValue>(
    _ operand: any OperandNode<V>
) -> @Sendable (E.Columns) -> ColumnExpression<E, V> {
    operand.closure(E.self, Stack())
}
