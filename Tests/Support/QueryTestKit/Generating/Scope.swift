/// The closures around a place in a query that is made, the outermost first.
package struct Scope: Sendable {
    /// A closure: what its rows are, and what its variables hold.
    struct Frame: Sendable {
        let entity: any ScopeEntity.Type
        /// The columns that may be used; `nil` for all, with relations and references.
        var keys: Set<String>?
        var kept: [any Keepable] = []
    }

    private(set) var frames: [Frame] = []
    /// Whether columns of outer rows are used at all.
    private let hasOuterColumns: Bool
    /// Whether the outermost row is that of the whole query, which columns without a closure belong to.
    let hasStaticColumns: Bool

    package init<E: ScopeEntity>(
        _ entity: E.Type, hasOuterColumns: Bool, hasStaticColumns: Bool = true
    ) {
        frames = [Frame(entity: entity)]
        self.hasOuterColumns = hasOuterColumns
        self.hasStaticColumns = hasStaticColumns
    }

    /// The closure of a query that is made outside of all closures, and used here.
    func unit<E: ScopeEntity>(of entity: E.Type) -> Scope {
        Scope(E.self, hasOuterColumns: hasOuterColumns, hasStaticColumns: false)
    }

    var count: Int { frames.count }

    /// The number of the innermost row.
    var innermost: Int { frames.count - 1 }

    /// Enters a closure about rows of another entity.
    func entering<E: ScopeEntity>(_ entity: E.Type) -> Scope {
        var scope = self
        scope.frames.append(Frame(entity: entity))
        return scope
    }

    /// Keeps something in a variable of the innermost closure.
    func keeping(_ value: any Keepable) -> Scope {
        var scope = self
        scope.frames[innermost].kept.append(value)
        return scope
    }

    /// The same with a group of rows in place of the innermost row: only its keys may be used.
    func grouped(by keys: Set<String>) -> Scope {
        var scope = self
        scope.frames[innermost].keys = keys
        return scope
    }

    /// The rows whose columns may be used.
    var usable: [Int] {
        guard hasOuterColumns else { return [innermost] }
        let entity = frames[innermost].entity
        return frames.indices.filter { Marks.areKnown || frames[$0].entity == entity }
    }

    /// Those of them that have relations and references.
    var usableRows: [Int] { usable.filter { frames[$0].keys == nil } }

    /// The columns of a row with values of a type.
    func fields<E: ScopeEntity, V: ScopeValue>(
        _ row: Int, _ entity: E.Type, _ type: V.Type
    ) -> [Field<E, V>] {
        let fields = V.fields(of: E.self)
        guard let keys = frames[row].keys else { return fields }
        return fields.filter { keys.contains($0.name) }
    }

    /// Whether there is a column with values of a type.
    func has<V: ScopeValue>(_ type: V.Type) -> Bool {
        func holds<E: ScopeEntity>(_ row: Int, _ entity: E.Type) -> Bool {
            !fields(row, entity, type).isEmpty
        }
        return usable.contains { holds($0, frames[$0].entity) }
    }
}
