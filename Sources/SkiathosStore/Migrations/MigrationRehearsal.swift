/// The report of a dry run: a migration that was made on a copy of the store.
public struct MigrationRehearsal: Sendable {
    /// The number of rows of one table.
    public struct Table: Sendable, Hashable {
        /// The name of the table.
        public var name: String
        /// How many rows it had, or `nil` if it did not exist.
        public var rowsBefore: Int?
        /// How many rows it has, or `nil` if it was dropped.
        public var rowsAfter: Int?

        /// Makes a line of the report.
        public init(name: String, rowsBefore: Int?, rowsAfter: Int?) {
            self.name = name
            self.rowsBefore = rowsBefore
            self.rowsAfter = rowsAfter
        }
    }

    /// The plan that was run.
    public var plan: MigrationPlan
    /// The tables, in the order of their names.
    public var tables: [Table]
    /// Messages about dangling references.
    public var referenceProblems: [String]
    /// Messages about other problems of the copy.
    public var integrityProblems: [String]
    /// The error that ended the migration, if it failed; the report then shows the copy as it
    /// was left.
    public var failure: StoreError?
    /// How long the migration took, without the copying.
    public var duration: Duration

    /// Makes a report.
    public init(
        plan: MigrationPlan, tables: [Table] = [], referenceProblems: [String] = [],
        integrityProblems: [String] = [], failure: StoreError? = nil, duration: Duration = .zero
    ) {
        self.plan = plan
        self.tables = tables
        self.referenceProblems = referenceProblems
        self.integrityProblems = integrityProblems
        self.failure = failure
        self.duration = duration
    }

    /// Whether the migration would succeed.
    public var isSuccess: Bool {
        failure == nil && referenceProblems.isEmpty && integrityProblems.isEmpty
    }
}

extension MigrationRehearsal: CustomStringConvertible {
    /// The outcome, the tables and the problems, one a line.
    public var description: String {
        let outcome = isSuccess ? "succeeds" : "fails"
        var lines = ["The migration of \(plan.source) \(outcome) on a copy, after \(duration)."]
        lines += tables.map { table in
            let before = table.rowsBefore.map { "\($0) rows" } ?? "no table"
            let after = table.rowsAfter.map { "\($0) rows" } ?? "no table"
            return "\"\(table.name)\": \(before) before, \(after) after"
        }
        lines += referenceProblems + integrityProblems
        if let failure { lines.append("\(failure)") }
        return lines.joined(separator: "\n")
    }
}
