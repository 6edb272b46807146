extension Program {
    /// What is wrong with a program that must not compile, in sentences; empty if it was refused
    /// with the errors that it names and no other.
    func objectionsToRefusal(_ outcome: Compiler.Outcome) -> [String] {
        var objections = objectionsToForm
        if expectedErrors.isEmpty { objections.append("The program names no error.") }
        if outcome.isSuccess { objections.append("The program compiles.") }
        var errors = Diagnostic.all(in: outcome.output).filter { $0.kind == .error }
        objections += objectionToBreakdown(outcome, isExplained: !errors.isEmpty)
        for expected in expectedErrors {
            let match = errors.firstIndex {
                $0.path == path && $0.line == expected.line && $0.message.contains(expected.text)
            }
            if let match {
                errors.remove(at: match)
            } else {
                objections.append("Missing at line \(expected.line): \(expected.text)")
            }
        }
        return objections + errors.map { "Not expected at \($0.description(for: self))" }
    }

    /// What is wrong with a program that must compile, in sentences; empty if it compiled without
    /// error or warning.
    func objectionsToAcceptance(_ outcome: Compiler.Outcome) -> [String] {
        var objections = objectionsToForm
        if !expectedErrors.isEmpty { objections.append("The program names an error.") }
        let diagnostics = Diagnostic.all(in: outcome.output)
        objections += diagnostics.map { "Not expected at \($0.description(for: self))" }
        return objections + objectionToBreakdown(outcome, isExplained: !diagnostics.isEmpty)
    }

    private var objectionsToForm: [String] {
        reason.isEmpty ? ["The first line is no comment that says what the program shows."] : []
    }

    private func objectionToBreakdown(
        _ outcome: Compiler.Outcome, isExplained: Bool
    ) -> [String] {
        outcome.isSuccess || isExplained ? [] : ["The compiler failed: \(outcome.output)"]
    }
}
