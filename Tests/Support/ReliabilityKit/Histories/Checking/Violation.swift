/// A rule that a history breaks, with an explanation that names the operations.
package struct HistoryViolation: Sendable, Hashable, CustomStringConvertible {
    /// The phenomena, mostly by the names of Adya, "Weak Consistency: A Generalized Theory and
    /// Optimistic Implementations for Distributed Transactions" (1999).
    package enum Rule: String, Sendable, CaseIterable {
        /// A value was read that was never written.
        case unknownValue = "unknown value"
        /// A value was read whose write had failed or was rolled back (G1a).
        case abortedRead = "aborted read"
        /// A state was read in the middle of another operation (G1b).
        case intermediateRead = "intermediate read"
        /// A list held an element twice.
        case duplicate = "duplicate element"
        /// A list was read that is no beginning of what it became.
        case notAPrefix = "read that is no prefix"
        /// A write that was done is missing from a read that began later.
        case lostWrite = "lost write"
        /// Two operations replaced the same value of a register.
        case lostUpdate = "lost update"
        /// An operation did not see what it had written itself, or saw a value change.
        case inconsistentView = "inconsistent view"
        /// A cycle of overwriting alone (G0).
        case writeCycle = "write cycle"
        /// A cycle of writing and reading what was written (G1c).
        case circularFlow = "circular information flow"
        /// A cycle with one operation that saw too old a value (G-single).
        case readSkew = "read skew"
        /// A cycle with several operations that saw too old values (G2).
        case writeSkew = "write skew"
        /// A cycle that needs the order in which calls followed each other.
        case realTime = "real-time order"
        /// The operations do not fit the order in which the writes say that they ran.
        case serialOrder = "serial order"
        /// An acknowledgement came before what it promises.
        case earlyAcknowledgement = "early acknowledgement"
        /// A closure ran more often than once, or not at all.
        case closureRuns = "runs of a closure"
        /// A call failed for no reason that the history knows.
        case failure = "unexpected failure"
        /// The history did less than it should.
        case load = "load"
    }

    package let rule: Rule
    package let explanation: String

    package init(_ rule: Rule, _ explanation: String) {
        self.rule = rule
        self.explanation = explanation
    }

    /// The rule and the explanation.
    package var description: String { "\(rule.rawValue): \(explanation)" }
}
