/// A backend's plan of a query.
///
/// ```swift
/// let explanation = try session.explain(FetchRequest(entity: 0))
/// // sql:       SELECT "id", "age" FROM "user"
/// // plan:      ["SCAN user"]
/// // fullScans: ["user"]
/// ```
///
/// It is for people and logs: the wording of plans belongs to the backend and its version. It holds
/// no values.
public struct QueryExplanation: Sendable, Hashable {
    /// The statement in the backend's language, with placeholders for values.
    public var sql: String
    /// The steps of the plan, a line each; the parts of a step follow it, indented.
    public var plan: [String]
    /// The tables that are scanned completely, in the order of the plan.
    public var fullScans: [String]

    /// Makes an explanation.
    public init(sql: String, plan: [String], fullScans: [String]) {
        self.sql = sql
        self.plan = plan
        self.fullScans = fullScans
    }
}

extension QueryExplanation: CustomStringConvertible {
    /// The statement, and below it the steps.
    public var description: String { ([sql] + plan).joined(separator: "\n") }
}
