#if Macros
import SwiftDiagnostics

/// Why a proxy cannot be written, and what to do.
struct Problem: DiagnosticMessage {
    let message: String
    let diagnosticID: MessageID
    let severity = DiagnosticSeverity.error

    init(_ id: String, _ message: String) {
        self.message = message
        diagnosticID = MessageID(domain: "WeakProxies", id: id)
    }
}

extension Problem {
    static let notAProtocol = Problem(
        "notAProtocol", "@WeakProxy belongs to a protocol, whose members it forwards.")

    static func unsupported(_ what: String, because reason: String) -> Problem {
        Problem("unsupported", "@WeakProxy cannot forward \(what): \(reason).")
    }

    static func needsFallback(_ member: String) -> Problem {
        Problem(
            "needsFallback",
            "'\(member)' has a result that is not optional and does not throw, so it needs "
                + "@Fallback(value) for when the object is gone.")
    }
}
#endif
