import SkiathosStore

/// What a query has come to.
package enum Outcome: Sendable {
    /// What plain Swift finds.
    case right
    /// Refused: its subqueries are nested more deeply than the parser of some versions of SQLite can
    /// remember.
    case tooDeep
    /// Something else, or an error.
    case wrong(String)

    init(_ text: String, _ difference: () throws -> String?) {
        do {
            self = try difference().map { .wrong("\(text)\n  \($0)") } ?? .right
        } catch let error as StoreError where error.code == .tooComplex {
            self = .tooDeep
        } catch {
            self = .wrong("\(text)\n  failed: \(error)")
        }
    }
}
