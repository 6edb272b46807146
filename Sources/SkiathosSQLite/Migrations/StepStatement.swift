import SkiathosStore

/// Decides which statements a step may execute.
enum StepStatement {
    /// The first words of statements that reach beyond the transaction of the migration.
    private static let refused: Set<String> = [
        "BEGIN", "COMMIT", "END", "ROLLBACK", "SAVEPOINT", "RELEASE", "ATTACH", "DETACH", "VACUUM",
        "PRAGMA",
    ]

    /// Refuses statements that would end the transaction or change the connection.
    ///
    /// - Throws: ``StoreError`` with code `migrationFailed`.
    static func check(_ sql: String, step: String) throws {
        let word = firstWord(of: sql).uppercased()
        guard refused.contains(word) else { return }
        throw StoreError(
            .migrationFailed,
            "The step \"\(step)\" executes \(word), which would reach beyond the one transaction of the migration. Leave it out."
        )
    }

    private static func firstWord(of sql: String) -> String {
        var rest = Substring(sql)
        while true {
            rest = rest.drop { $0.isWhitespace || $0 == ";" }
            if rest.hasPrefix("--") {
                rest = rest.drop { !$0.isNewline }
            } else if rest.hasPrefix("/*") {
                guard let end = rest.firstRange(of: "*/") else { return "" }
                rest = rest[end.upperBound...]
            } else {
                return String(rest.prefix { $0.isLetter })
            }
        }
    }
}
