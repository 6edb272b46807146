/// The changes that opening a store for writing would make, and whether it may.
///
/// ```swift
/// print(try await DataAccessLayer.migrationPlan(for: .sqlite("app.sqlite"), entities: User.self))
/// // "app.sqlite" would be changed:
/// // 1. rename column "surname" of "user" to "lastname"
/// //    ALTER TABLE "user" RENAME COLUMN "surname" TO "lastname"
/// ```
public struct MigrationPlan: Sendable, Hashable {
    /// One change, or one step that is run.
    public struct Change: Sendable, Hashable {
        /// A description of the change.
        public var description: String
        /// The statements, in order; none for a step, which decides itself.
        public var statements: [String]
        /// Whether existing data is lost.
        public var losesData: Bool
        /// The name of the step, if it is one.
        public var step: String?

        /// Makes a change.
        public init(
            _ description: String, statements: [String] = [], losesData: Bool = false,
            step: String? = nil
        ) {
            self.description = description
            self.statements = statements
            self.losesData = losesData
            self.step = step
        }
    }

    /// The place of the store, for the text.
    public var source: String
    /// The changes and steps, in their order.
    public var changes: [Change]
    /// Messages about what prevents the changes; empty if they can be made.
    public var blockers: [String]
    /// Whether there is no store yet, so that all of it is created.
    public var createsStore: Bool
    /// Whether a newer version of the program has changed the store, so that this one must not.
    public var isNewerStore: Bool

    /// Makes a plan.
    public init(
        source: String, changes: [Change] = [], blockers: [String] = [],
        createsStore: Bool = false, isNewerStore: Bool = false
    ) {
        self.source = source
        self.changes = changes
        self.blockers = blockers
        self.createsStore = createsStore
        self.isNewerStore = isNewerStore
    }

    /// The names of the steps that would be run, in their order.
    public var steps: [String] { changes.compactMap(\.step) }
    /// Whether existing data would be lost.
    public var losesData: Bool { changes.contains(where: \.losesData) }
    /// Whether opening the store for writing would make the changes; otherwise it is refused.
    public var isApplicable: Bool { blockers.isEmpty }
    /// Whether the store matches the entities.
    public var isEmpty: Bool { changes.isEmpty && blockers.isEmpty }
}

extension MigrationPlan: CustomStringConvertible {
    /// The descriptions of the changes with their statements, and the blockers.
    public var description: String { text(withStatements: true) }

    /// The changes and blockers.
    package func text(withStatements: Bool) -> String {
        if isEmpty { return "\(source) is as the entities ask for." }
        var lines: [String] = []
        if !changes.isEmpty {
            let verb = createsStore ? "created" : "changed"
            lines.append("\(source) would be \(verb):")
        }
        for (number, change) in changes.enumerated() {
            let loss = change.losesData ? " (data is lost)" : ""
            lines.append("\(number + 1). \(change.description)\(loss)")
            if withStatements { lines += change.statements.map { "   \($0)" } }
        }
        if !blockers.isEmpty {
            lines.append(changes.isEmpty ? "\(source) cannot be used:" : "That cannot be done:")
            lines += blockers.map { "- \($0)" }
        }
        return lines.joined(separator: "\n")
    }
}
