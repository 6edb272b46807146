import SkiathosStore

/// The rows of another entity that refer to a row: a query, which a computed property of the
/// entity creates.
///
/// ```swift
/// @Entity struct Company {
///     var name = ""
///     var employees: ToMany<User> { ToMany(\.company, of: id) }
/// }
///
/// for company in try Company.all(in: context) {
///     print(company.name, try company.employees.all(in: context).count)
/// }
/// // SELECT … FROM "company"
/// // SELECT … FROM "user" WHERE ("company" IN (1, 2, 3, …))      once, for all companies
/// ```
///
/// The first access loads the rows of all companies that were fetched together, so a loop
/// costs one statement more and not one for each company. The loaded rows count as fetched
/// together, too.
public struct ToMany<Element: Entity>: Sendable {
    let relation: StoreRelation
    /// The entity that is referred to.
    let ownerType: any Entity.Type
    /// The ID of the row that is referred to.
    let owner: Result<StoreValue, any Error>
    var filter: BuiltCondition?
    var orderings: [Ordering<Element>] = []

    /// The rows whose reference leads to a row.
    ///
    /// A key path that is not a stored property of the entity traps.
    public init<Owner: Entity>(
        _ reference: KeyPath<Element, EntityID<Owner>?>, of owner: EntityID<Owner>
    ) {
        self.init(position: Element.position(ofReference: reference), owner)
    }

    /// The rows whose reference leads to a row.
    ///
    /// A key path that is not a stored property of the entity traps.
    public init<Owner: Entity>(
        _ reference: KeyPath<Element, EntityID<Owner>>, of owner: EntityID<Owner>
    ) {
        self.init(position: Element.position(ofReference: reference), owner)
    }

    private init<Owner: Entity>(position: Int, _ owner: EntityID<Owner>) {
        relation = StoreRelation(Element.self, reference: position)
        ownerType = Owner.self
        self.owner = Result { try StoreValue(owner, Coding.of(Owner.ID.self)) }
    }

    /// Only the rows that meet a condition.
    public func filter(
        @ConditionBuilder<Element> _ condition: (Element.Columns) -> Condition<Element>
    ) -> ToMany {
        var copy = self
        let condition = RowClosure.run(Element.self, condition)
        copy.filter =
            filter.map { .joining($0, condition.built, isAll: true) } ?? condition.built
        return copy
    }

    /// The rows in an order, the most important key first.
    public func order(
        @OrderBuilder<Element> _ keys: (Element.Columns) -> [Ordering<Element>]
    ) -> ToMany {
        var copy = self
        copy.orderings.add(RowClosure.run(Element.self, keys))
        return copy
    }

    /// The same rows as a query, which is run for this one row alone.
    public var query: Query<Element> {
        let condition = Condition<Element>(owner.map { refers(to: [$0]) })
        let both = filter.map { condition && Condition($0) } ?? condition
        return Query(both, order: orderings)
    }

    /// The rows of several owners, without a sort key in the order of their IDs.
    func request(for owners: [StoreValue], at entity: Int) throws -> FetchRequest {
        let (refers, filter) = (refers(to: owners), try filter?.predicate.get())
        return FetchRequest(
            entity: entity, predicate: filter.map { .all([refers, $0]) } ?? refers,
            order: orderings.isEmpty
                ? [.init(.column(0), descending: false)] : try orderings.map { try $0.order.get() })
    }

    private func refers(to owners: [StoreValue]) -> StorePredicate {
        .contained(.column(relation.reference), owners)
    }
}

extension Entity {
    /// The position of the stored reference that a key path leads to.
    @usableFromInline
    static func position(ofReference keyPath: PartialKeyPath<Self>) -> Int {
        guard let position = column(at: keyPath) else {
            preconditionFailure(
                "\(keyPath) is not a stored property of \(schema.typeName); a relationship needs the reference that is stored."
            )
        }
        return position
    }
}
