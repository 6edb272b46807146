/// One column of an entity as a backend sees it.
public struct ColumnSchema: Sendable, Hashable {
    /// The effect on a referring row of deleting the row that it refers to.
    public enum DeleteRule: String, Sendable, Hashable {
        /// The reference becomes `nil`. Only for optional references, and their default.
        case nullify
        /// The referring row is deleted too.
        case cascade
        /// The deletion fails. The default of references that are not optional.
        case deny
    }

    /// A foreign key to the ID of an entity.
    public struct Reference: Sendable, Hashable {
        /// The Swift type that is referred to; it must be opened with the same store.
        public var target: ObjectIdentifier
        /// The name of that type, for messages.
        public var targetName: String
        /// The rule for the deletion of the target.
        public var onDelete: DeleteRule

        /// Makes a reference to the entity of this Swift type.
        public init(target: Any.Type, onDelete: DeleteRule) {
            self.target = ObjectIdentifier(target)
            self.targetName = String(describing: target)
            self.onDelete = onDelete
        }
    }

    /// The name of the column, which is the name of the property.
    public var name: String
    /// The names that the column had before.
    ///
    /// If a table has a column with one of them, and none with the current name or one that another column
    /// takes over, the column is renamed.
    public var formerNames: [String]
    /// How the values are kept.
    public var storage: StorageClass
    /// Whether the column may be empty.
    public var isOptional: Bool
    /// Which values of the storage class the column can hold.
    ///
    /// Its type decides this. A value that a backend computes for the column must be among
    /// them, or is refused with the code `invalidValue`.
    public var domain: ColumnDomain { coding.type.domain }
    /// The value of existing rows when the column is added, if it is not optional.
    ///
    /// The data access layer takes it from a new value of the entity when the store is opened.
    public var defaultValue: StoreValue?
    /// The foreign key, for columns of type `EntityID`.
    public var reference: Reference?
    /// The declared delete rule, which only a reference may have.
    let askedDeleteRule: DeleteRule?
    private let coding: CodingType

    /// Describes the column that a coding stores its values in.
    ///
    /// ```swift
    /// ColumnSchema("company", Coding.of(Company.ID?.self), onDelete: .cascade)
    /// // "company" INTEGER REFERENCES "company"("id") ON DELETE CASCADE
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of the property, used as it is.
    ///   - coding: How the property's type is stored, from ``Coding``.
    ///   - onDelete: The delete rule of a reference; opening a store refuses it for other
    ///     types. Without one, an optional reference is nullified and any other denies the
    ///     deletion.
    ///   - renamedFrom: Names that the column had before.
    public init<C: ColumnCoding>(
        _ name: String, _ coding: C.Type, onDelete: DeleteRule? = nil, renamedFrom: [String] = []
    ) {
        self.name = name
        self.formerNames = renamedFrom
        self.storage = C.storage
        self.isOptional = C.isOptional
        self.askedDeleteRule = onDelete
        self.coding = CodingType(type: C.self)
        self.reference = C.referencedType.map {
            Reference(target: $0, onDelete: onDelete ?? (C.isOptional ? .nullify : .deny))
        }
    }
}

extension ColumnSchema {
    /// The kind of the column's values.
    package var kind: ValueKind { ValueKind(of: coding.type) }

    /// Reads a value with the column's type, and binds it again.
    ///
    /// - Throws: ``StoreError`` with code `undecodableValue` or `invalidValue` if the type
    ///   does not accept the value.
    public func rebound(_ row: RowReader, at position: Int) throws -> StoreValue {
        try coding.type.rebound(row, at: position)
    }
}

/// A coding that can be compared with others.
private struct CodingType: Sendable, Hashable {
    let type: any ColumnCoding.Type

    static func == (left: CodingType, right: CodingType) -> Bool { left.type == right.type }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(type)) }
}

extension ColumnCoding {
    fileprivate static func rebound(_ row: RowReader, at position: Int) throws -> StoreValue {
        try StoreValue(try read(row, position), Self.self)
    }
}
