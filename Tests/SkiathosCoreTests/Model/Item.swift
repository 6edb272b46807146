import Skiathos

/// A place in a small family of entities that refer to each other by texts.
protocol Kind: Sendable {
    associatedtype Parent: Kind
    static var table: String { get }
    /// What happens to an item whose parent is deleted.
    static var rule: ColumnSchema.DeleteRule { get }
}

/// Refers to its own kind.
enum Root: Kind {
    typealias Parent = Root
    static let table = "root"
    static let rule = ColumnSchema.DeleteRule.nullify
}

/// Goes with its root.
enum Branch: Kind {
    typealias Parent = Root
    static let table = "branch"
    static let rule = ColumnSchema.DeleteRule.cascade
}

/// Goes with its branch, and so with the root of that.
enum Leaf: Kind {
    typealias Parent = Branch
    static let table = "leaf"
    static let rule = ColumnSchema.DeleteRule.cascade
}

/// Loses its branch.
enum Tag: Kind {
    typealias Parent = Branch
    static let table = "tag"
    static let rule = ColumnSchema.DeleteRule.nullify
}

/// Keeps its root from being deleted.
enum Seal: Kind {
    typealias Parent = Root
    static let table = "seal"
    static let rule = ColumnSchema.DeleteRule.deny
}

/// A row of any kind: its ID, its unique label and its reference are texts.
struct Item<K: Kind>: Sendable {
    var id: EntityID<Item<K>> = .unassigned
    var label: String?
    var count = 0
    var parent: EntityID<Item<K.Parent>>?
}

extension Item where K == Root {
    var branches: ToMany<Item<Branch>> { ToMany(\.parent, of: id) }
}

extension Item: Entity {
    typealias RawID = String

    struct Columns: Sendable {
        let id = Column<Item, EntityID<Item>>(0, Coding.of(EntityID<Item>.self))
        let label = Column<Item, String?>(1, Coding.of(String?.self))
        let count = Column<Item, Int>(2, Coding.of(Int.self))
        let parent = Column<Item, EntityID<Item<K.Parent>>?>(
            3, Coding.of(EntityID<Item<K.Parent>>?.self))
    }
    static var columns: Columns { Columns() }
    static func makeColumns() -> Columns { Columns() }
    static var schema: EntitySchema {
        EntitySchema(
            Item.self, table: K.table, id: Coding.of(EntityID<Item>.self),
            columns: [
                ColumnSchema("label", Coding.of(String?.self)),
                ColumnSchema("count", Coding.of(Int.self)),
                ColumnSchema(
                    "parent", Coding.of(EntityID<Item<K.Parent>>?.self), onDelete: K.rule),
            ], unique: [["label"]])
    }

    static func column(at keyPath: PartialKeyPath<Item>) -> Int? {
        switch keyPath {
        case \Item.id: 0
        case \Item.label: 1
        case \Item.count: 2
        case \Item.parent: 3
        default: nil
        }
    }

    init(id: EntityID<Item>) { self.id = id }

    init(row: RowReader) throws {
        id = try row.value(Coding.of(EntityID<Item>.self), at: 0)
        label = try row.value(Coding.of(String?.self), at: 1)
        count = try row.value(Coding.of(Int.self), at: 2)
        parent = try row.value(Coding.of(EntityID<Item<K.Parent>>?.self), at: 3)
    }

    func bind(_ column: Int, to parameters: ParameterWriter, at position: Int) throws {
        switch column {
        case 0: try parameters.bind(id, Coding.of(EntityID<Item>.self), at: position)
        case 1: try parameters.bind(label, Coding.of(String?.self), at: position)
        case 2: try parameters.bind(count, Coding.of(Int.self), at: position)
        default:
            try parameters.bind(parent, Coding.of(EntityID<Item<K.Parent>>?.self), at: position)
        }
    }

    func changedColumns(from other: Item) -> ColumnSet {
        var changed = ColumnSet()
        changed.insert(1, if: !Coding.of(String?.self).areIdentical(label, other.label))
        changed.insert(2, if: !Coding.of(Int.self).areIdentical(count, other.count))
        changed.insert(
            3, if: !Coding.of(EntityID<Item<K.Parent>>?.self).areIdentical(parent, other.parent))
        return changed
    }
}

/// The kinds, and what a script does with any of them.
enum Items {
    static let kinds: [any Kind.Type] = [Root.self, Branch.self, Leaf.self, Tag.self, Seal.self]
    /// The kind of the parent of each kind, by position.
    static let parents = [0, 0, 1, 1, 0]
    static let entities: [any Entity.Type] = [
        Item<Root>.self, Item<Branch>.self, Item<Leaf>.self, Item<Tag>.self, Item<Seal>.self,
    ]
}
