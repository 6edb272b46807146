/// Replaces the name of a row by its distance, once it is known where the row stands.
///
/// Columns of an inner closure carry the name of its row; those of the outermost one carry none, so that
/// plain queries are made without any of this. When the inner closure has ended, its name is dropped
/// where its row is the innermost one, and is a distance inside of further rows. Parts without a name get
/// that of the outermost row then: they would be taken for the inner one otherwise.
@usableFromInline
package struct RowResolution {
    /// The row that what is resolved is about.
    private let row: RowName?
    /// The name of the row that parts without a name are about; without one, that is the same row.
    private let unnamed: RowName?

    /// Drops the name of the row that something is about.
    package init(_ row: RowName) {
        self.row = row
        unnamed = nil
    }

    /// Drops the name of the row of an inner closure, and names the outermost row.
    package init(ending row: RowName, outermost: RowName) {
        self.row = row
        unnamed = outermost
    }

    /// Names the outermost row.
    package init(naming outermost: RowName) {
        row = nil
        unnamed = outermost
    }

    /// Whether this is the row of a closure.
    package func isAbout(_ closure: Int) -> Bool { row?.closure == closure }

    /// The expression in which the row has a distance.
    package func resolve(_ expression: StoreExpression) -> StoreExpression {
        resolve(expression, Place(depth: 0, isBound: unnamed == nil))
    }

    /// The condition in which the row has a distance.
    package func resolve(_ predicate: StorePredicate) -> StorePredicate {
        resolve(predicate, Place(depth: 0, isBound: unnamed == nil))
    }
}

/// Where a part stands.
private struct Place {
    /// The number of rows between the part and the top.
    let depth: Int
    /// Whether the row of the part is known, so that it needs no name.
    let isBound: Bool

    /// Inside of one more row.
    var inner: Place { Place(depth: depth + 1, isBound: true) }
    /// About the same row, which is known now.
    var bound: Place { Place(depth: depth, isBound: true) }
}

extension RowResolution {
    private func resolve(_ expression: StoreExpression, _ place: Place) -> StoreExpression {
        switch expression {
        case .value: expression
        case .column: named(place) { _ in expression }
        case .arithmetic(let operation, let left, let right, let storage):
            .arithmetic(operation, resolve(left, place), resolve(right, place), storage)
        case .call(let function, let arguments):
            .call(function, arguments.map { resolve($0, place) })
        case .coalesce(let first, let second):
            .coalesce(resolve(first, place), resolve(second, place))
        case .choose(let condition, let first, let second):
            .choose(resolve(condition, place), resolve(first, place), resolve(second, place))
        case .through(let reference, let inner):
            named(place) { .through(reference, resolve(inner, $0.inner)) }
        case .related(let relation, let aggregate, let condition):
            named(place) { place in
                .related(
                    relation, resolve(aggregate, place.inner),
                    condition.map { resolve($0, place.inner) })
            }
        case .aggregate(let aggregate):
            ofRows(expression, place) { .aggregate(resolve(aggregate, $0)) }
        case .window(let window): ofRows(expression, place) { .window(resolve(window, $0)) }
        case .subquery(let query):
            // The same for every row, unless its conditions compare with this one.
            StorePart.expression(expression).isUsedInside
                ? named(place) { .subquery(resolve(query, $0.inner)) }
                : .subquery(resolve(query, place.inner))
        case .outer(let outer, let inner) where isKnown(outer) && place.depth == 0:
            resolve(inner, place.bound)
        case .outer(let outer, let inner): .outer(placed(outer, place), resolve(inner, place.inner))
        }
    }

    private func resolve(_ predicate: StorePredicate, _ place: Place) -> StorePredicate {
        switch predicate {
        case .constant: predicate
        case .comparison(let left, let comparison, let right):
            .comparison(resolve(left, place), comparison, resolve(right, place))
        case .contained(let expression, let values): .contained(resolve(expression, place), values)
        case .containedIn(let expression, let selection):
            StorePart.predicate(predicate).isUsedInside
                ? named(place) {
                    .containedIn(resolve(expression, $0), resolve(selection, $0.inner))
                }
                : .containedIn(resolve(expression, place), resolve(selection, place.inner))
        case .match(let text, let match, let pattern):
            .match(resolve(text, place), match, resolve(pattern, place))
        case .through(let reference, let condition):
            named(place) { .through(reference, resolve(condition, $0.inner)) }
        case .related(let relation, let condition):
            named(place) { place in
                .related(relation, condition.map { resolve($0, place.inner) })
            }
        case .descent, .search: named(place) { _ in predicate }
        case .among(let rows): named(place) { .among(resolve(rows, $0.inner)) }
        case .all(let parts): .all(parts.map { resolve($0, place) })
        case .any(let parts): .any(parts.map { resolve($0, place) })
        case .not(let part): .not(resolve(part, place))
        case .outer(let outer, let inner) where isKnown(outer) && place.depth == 0:
            resolve(inner, place.bound)
        case .outer(let outer, let inner): .outer(placed(outer, place), resolve(inner, place.inner))
        }
    }

    private func placed(_ outer: OuterRow, _ place: Place) -> OuterRow {
        isKnown(outer) ? .distance(place.depth) : outer
    }

    private func isKnown(_ outer: OuterRow) -> Bool {
        guard case .named(let name) = outer else { return false }
        return name == row
    }

    /// What is about a row, with the name of that row if it needs one.
    private func named(
        _ place: Place, _ part: (Place) -> StoreExpression
    ) -> StoreExpression {
        guard !place.isBound, let unnamed else { return part(place) }
        return .outer(.named(unnamed), part(place.inner))
    }

    /// What is about a row, with the name of that row if it needs one.
    private func named(_ place: Place, _ part: (Place) -> StorePredicate) -> StorePredicate {
        guard !place.isBound, let unnamed else { return part(place) }
        return .outer(.named(unnamed), part(place.inner))
    }

    /// An aggregate or a window, which is about the rows of the innermost closure whose columns it has.
    private func ofRows(
        _ expression: StoreExpression, _ place: Place, _ part: (Place) -> StoreExpression
    ) -> StoreExpression {
        guard !place.isBound else { return part(place) }
        var names: [RowName] = []
        StorePart.expression(expression).forEachOuter { row, _, _ in
            if case .named(let name) = row { names.append(name) }
        }
        if let row, names.contains(row) { return part(place) }
        if let name = names.max(by: { $0.closure < $1.closure }), name.closure > 0 {
            return .outer(.named(name), part(place))
        }
        guard StorePart.expression(expression).isAboutOwnRow else { return part(place) }
        return named(place, part)
    }

    private func resolve(_ aggregate: StoreAggregate, _ place: Place) -> StoreAggregate {
        var copy = aggregate
        copy.argument = aggregate.argument.map { resolve($0, place) }
        return copy
    }

    private func resolve(_ window: StoreWindow, _ place: Place) -> StoreWindow {
        let function: StoreWindow.Function =
            switch window.function {
            case .rowNumber, .rank, .denseRank: window.function
            case .previous(let value, let places): .previous(resolve(value, place), places)
            case .next(let value, let places): .next(resolve(value, place), places)
            case .aggregate(let aggregate): .aggregate(resolve(aggregate, place))
            }
        return StoreWindow(
            function, partition: window.partition.map { resolve($0, place) },
            order: window.order.map { resolve($0, place) })
    }

    private func resolve(_ key: FetchRequest.Order, _ place: Place) -> FetchRequest.Order {
        FetchRequest.Order(resolve(key.expression, place), descending: key.descending)
    }

    private func resolve(_ query: StoreSubquery, _ place: Place) -> StoreSubquery {
        var copy = query
        copy.aggregate = resolve(query.aggregate, place)
        copy.condition = query.condition.map { resolve($0, place) }
        return copy
    }

    private func resolve(_ selection: StoreSelection, _ place: Place) -> StoreSelection {
        var copy = selection
        copy.result = resolve(selection.result, place)
        copy.rows = resolve(selection.rows, place)
        return copy
    }

    private func resolve(_ rows: StoreRows, _ place: Place) -> StoreRows {
        var copy = rows
        copy.condition = rows.condition.map { resolve($0, place) }
        copy.order = rows.order.map { resolve($0, place) }
        return copy
    }
}
