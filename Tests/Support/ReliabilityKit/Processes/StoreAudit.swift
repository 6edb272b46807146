import Skiathos

/// What a store holds after the process that had it has ended.
package struct StoreAudit: Sendable {
    /// The number of the last write that is there.
    package let number: Int
    /// What is wrong, in sentences.
    package let problems: [String]

    /// Opens a store, which recovers it, and compares its whole contents.
    ///
    /// - Parameters:
    ///   - plan: Names the store and what decides about its contents.
    ///   - promise: The number of the last write that must be there.
    package init(_ plan: ChildPlan, promise: Int) async throws {
        let dal = try await DataAccessLayer.open(.sqlite(plan.path), entities: Item.self)
        let number = try await Ledger.number(in: dal)
        var problems = try await dal.integrityProblems()
        if number < promise {
            problems.append("Write \(promise) was acknowledged, the last one there is \(number).")
        }
        let contents = try await Ledger.contents(of: dal)
        if contents != plan.ledger.lastContents(after: number) {
            problems.append("The contents are not those after write \(number).")
        }
        try await dal.close()
        self.number = number
        self.problems = problems
    }
}
