public import SkiathosCore
import SkiathosStore

/// A call of a persistence service, in a form that can be recorded.
public struct ServiceOperation: Sendable, Hashable, CustomStringConvertible {
    /// The kind of an operation.
    ///
    /// New kinds may be added, so a `switch` needs a `default`.
    public struct Kind: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The stable name of the kind.
        public let rawValue: String
        /// Makes a kind.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The stable name of the kind.
        public var description: String { rawValue }

        /// Creating one or many.
        public static let create = Self(rawValue: "create")
        /// Fetching by parameters or IDs.
        public static let fetch = Self(rawValue: "fetch")
        /// Counting.
        public static let count = Self(rawValue: "count")
        /// Testing whether any row exists.
        public static let exists = Self(rawValue: "exists")
        /// Changing objects.
        public static let update = Self(rawValue: "update")
        /// Deleting by parameters or IDs.
        public static let delete = Self(rawValue: "delete")
        /// Reading with a custom closure.
        public static let read = Self(rawValue: "read")
        /// Changing with a custom closure.
        public static let change = Self(rawValue: "change")
        /// Saving pending changes.
        public static let save = Self(rawValue: "save")
        /// Discarding pending changes.
        public static let rollBack = Self(rawValue: "rollBack")
        /// Undoing a step.
        public static let undo = Self(rawValue: "undo")
        /// Redoing a step.
        public static let redo = Self(rawValue: "redo")
        /// Opening the store in the background.
        public static let open = Self(rawValue: "open")
    }

    /// The kind.
    public var kind: Kind
    /// The name of the entity's type, where the operation is about one.
    public var entity: String?
    /// The name that the caller has given to the step.
    public var name: String?

    /// Describes an operation.
    public init(_ kind: Kind, entity: String? = nil, name: String? = nil) {
        self.kind = kind
        self.entity = entity
        self.name = name
    }

    init<E: Entity>(_ kind: Kind, of entity: E.Type, name: String? = nil) {
        self.init(kind, entity: E.schema.typeName, name: name)
    }

    /// The kind, followed by the entity and the name.
    public var description: String {
        ([kind.rawValue] + [entity, name].compactMap { $0 }).joined(separator: " ")
    }
}

/// A query of a persistence service: its description, and the closure that answers it.
public struct ServiceQuery<Value: Sendable>: Sendable {
    /// What it is.
    public let operation: ServiceOperation
    /// Reads the result from what the service sees.
    public let body: @Sendable (ReadContext) throws -> Value

    /// Makes a query.
    public init(
        _ operation: ServiceOperation,
        _ body: @escaping @Sendable (ReadContext) throws -> Value
    ) {
        self.operation = operation
        self.body = body
    }
}

/// A change by a persistence service: its description, and the closure that makes it.
public struct ServiceChange<Value: Sendable>: Sendable {
    /// What it is.
    public let operation: ServiceOperation
    /// How conflicts are resolved if it saves.
    public let policy: MergePolicy
    /// Makes the change, and returns how far it goes.
    public let body: @Sendable (WriteContext) throws -> (Value, SaveDepth)

    /// Makes a change.
    public init(
        _ operation: ServiceOperation, merging policy: MergePolicy = .throwing,
        _ body: @escaping @Sendable (WriteContext) throws -> (Value, SaveDepth)
    ) {
        self.operation = operation
        self.policy = policy
        self.body = body
    }
}
