import Foundation
package import Skiathos

/// An entity whose rows closures of random queries are about.
package protocol ScopeEntity: TableEntity, Equatable where RawID == Int64 {
    /// The ID. A key path that is written for any entity is none of the column of one.
    static var key: Field<Self, EntityID<Self>> { get }
    /// The other columns, by the types of their values.
    static var fields: Fields<Self> { get }
    /// The rows that references lead to.
    static var paths: [any PathStep<Self>] { get }
    /// The rows that refer to a row.
    static var relations: [any RelatedRows<Self>] { get }
    /// The rows that links connect with a row.
    static var connections: [any ConnectedRows<Self>] { get }
    /// The references to the same entity.
    static var descents: [Descent<Self>] { get }
    /// All rows, in the order of their IDs.
    static func rows(in world: ScopeWorld) -> [Self]
    /// A row without an ID.
    static func random(_ values: inout RandomValues) -> Self
}

/// A column of an entity.
package struct Field<E: TableEntity, Value: Sendable>: Sendable {
    let name: String
    let path: any WritableKeyPath<E, Value> & Sendable

    init(_ name: String, _ path: any WritableKeyPath<E, Value> & Sendable) {
        self.name = name
        self.path = path
    }

    func column(_ columns: E.Columns) -> Column<E, Value> { columns[dynamicMember: path] }
}

/// The columns of an entity but the ID, by the types of their values.
package struct Fields<E: TableEntity>: Sendable {
    var numbers: [Field<E, Int>] = []
    var optionalNumbers: [Field<E, Int?>] = []
    var weights: [Field<E, Double>] = []
    var optionalWeights: [Field<E, Double?>] = []
    var texts: [Field<E, String>] = []
    var optionalTexts: [Field<E, String?>] = []
    var prices: [Field<E, Decimal>] = []
    var optionalPrices: [Field<E, Decimal?>] = []
    var dates: [Field<E, Date>] = []
    var optionalDates: [Field<E, Date?>] = []
    var flags: [Field<E, Bool>] = []
    var optionalFlags: [Field<E, Bool?>] = []
    var persons: [Field<E, Person.ID?>] = []
    var teams: [Field<E, Team.ID?>] = []
}
