public import SkiathosCore
import SkiathosStore

/// What a persistence service was asked for, in a form that can be recorded.
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
        /// Asking whether there is any.
        public static let exists = Self(rawValue: "exists")
        /// Changing objects.
        public static let update = Self(rawValue: "update")
        /// Deleting by parameters or IDs.
        public static let delete = Self(rawValue: "delete")
        /// Reading with a closure of one's own.
        public static let read = Self(rawValue: "read")
        /// Changing with a closure of one's own.
        public static let change = Self(rawValue: "change")
        /// Saving what is pending.
        public static let save = Self(rawValue: "save")
        /// Dropping what is pending.
        public static let rollBack = Self(rawValue: "rollBack")
        /// Undoing a step.
        public static let undo = Self(rawValue: "undo")
        /// Doing an undone step again.
        public static let redo = Self(rawValue: "redo")
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

/// A question to a persistence service: what it is, and how it is answered.
public struct ServiceQuery<Value: Sendable>: Sendable {
    /// What it is.
    public let operation: ServiceOperation
    /// Answers it from what the service sees.
    public let body: @Sendable (ReadContext) throws -> Value

    /// Makes a question.
    public init(
        _ operation: ServiceOperation,
        _ body: @escaping @Sendable (ReadContext) throws -> Value
    ) {
        self.operation = operation
        self.body = body
    }
}

/// A change that a persistence service is asked to make: what it is, and how it is done.
public struct ServiceChange<Value: Sendable>: Sendable {
    /// What it is.
    public let operation: ServiceOperation
    /// What happens to conflicts if it saves.
    public let policy: MergePolicy
    /// Makes the change, and says how far it goes.
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
