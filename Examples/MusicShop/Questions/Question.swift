#if Macros
import Skiathos
import SkiathosTesting

/// Something that the owner of the shop wants to know.
struct Question: Sendable {
    /// What it is called on the command line.
    let name: String
    /// The question in words.
    let title: String
    /// How many statements the answer may take, whatever the number of rows.
    let statements: Int
    private let makeAnswer: @Sendable (ReadContext) throws -> Table

    init(
        _ name: String, _ title: String, statements: Int,
        answer: @escaping @Sendable (ReadContext) throws -> Table
    ) {
        self.name = name
        self.title = title
        self.statements = statements
        makeAnswer = answer
    }

    /// Reads the answer within the budget.
    ///
    /// - Returns: The answer, and what the queries have used.
    func answer(from dal: DataAccessLayer) async throws -> (table: Table, use: QueryUse) {
        let makeAnswer = makeAnswer
        return try await dal.read(budget: QueryBudget(statements: statements)) { context in
            let answer = try context.countingQueries { try makeAnswer(context) }
            return (table: answer.result, use: answer.use)
        }
    }
}
#endif
