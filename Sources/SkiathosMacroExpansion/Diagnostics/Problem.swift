#if Macros
import SwiftDiagnostics

/// A mistake in the use of the macros: what was expected, what was found, and what to do.
struct Problem: DiagnosticMessage {
    let message: String
    let diagnosticID: MessageID
    let severity = DiagnosticSeverity.error

    init(_ id: String, _ message: String) {
        self.message = message
        diagnosticID = MessageID(domain: "Skiathos", id: id)
    }
}
#endif
