public import SkiathosStore

/// Checks that a backend keeps the contract of `PersistentStore`.
///
/// Our own backends pass it like anyone's.
///
/// ```swift
/// @Test func `the PostgreSQL store keeps the contract of stores`() throws {
///     try StoreConformanceSuite(isPersistent: true) { .postgres(try freshDatabase()) }.run()
/// }
/// ```
public struct StoreConformanceSuite: Sendable {
    /// A part of the contract that a backend does not keep.
    public struct Violation: Sendable, CustomStringConvertible {
        /// The rule, as a sentence.
        public let rule: String
        /// The behaviour that was found.
        public let finding: String

        /// The rule and the finding.
        public var description: String { "\(rule): \(finding)" }
    }

    /// All violations that a run has found.
    public struct Failure: Error, CustomStringConvertible {
        /// The violations.
        public let violations: [Violation]

        /// One violation a line.
        public var description: String {
            violations.map(\.description).joined(separator: "\n")
        }
    }

    let isPersistent: Bool
    let makeSource: @Sendable () throws -> StoreSource

    /// Makes the suite for a backend.
    ///
    /// - Parameters:
    ///   - isPersistent: Whether a store that was closed can be opened again with what it held.
    ///   - makeSource: Makes the source of a new, empty store at each call.
    public init(isPersistent: Bool, _ makeSource: @escaping @Sendable () throws -> StoreSource) {
        self.isPersistent = isPersistent
        self.makeSource = makeSource
    }

    /// The rules that ``run()`` checks, as sentences.
    public var rules: [String] { checks.map(\.rule) }

    /// Runs every check on a new store each, which takes well under a second.
    ///
    /// - Returns: The number of checks.
    /// - Throws: ``Failure`` with all violations.
    @discardableResult
    public func run() throws -> Int {
        let violations = checks.compactMap { check -> Violation? in
            do {
                try check.run()
                return nil
            } catch {
                return Violation(rule: check.rule, finding: "\(error)")
            }
        }
        guard violations.isEmpty else { throw Failure(violations: violations) }
        return checks.count
    }

    private var checks: [ConformanceCheck] {
        rowChecks + queryChecks + expressionChecks + functionChecks + aggregateChecks + windowChecks
            + fieldChecks + unionChecks + searchChecks + relationChecks + meterChecks
            + statementChecks + recordingChecks + transactionChecks + endingChecks
            + constraintChecks + copyChecks + outerRowChecks + listChecks
            + (isPersistent ? persistenceChecks + commitWatchChecks : [])
    }
}

/// One rule and how it is checked.
struct ConformanceCheck {
    let rule: String
    let run: () throws -> Void
}

/// A check that found something else than the contract says.
struct Unexpected: Error, CustomStringConvertible {
    let description: String
}

func require(_ condition: Bool, _ finding: @autoclosure () -> String) throws {
    guard condition else { throw Unexpected(description: finding()) }
}

func requireEqual<T: Equatable>(_ found: T, _ expected: T) throws {
    try require(found == expected, "expected \(expected), found \(found)")
}

func requireError(_ code: StoreError.Code, _ body: () throws -> Void) throws -> StoreError {
    do {
        try body()
    } catch let error as StoreError {
        try require(error.code == code, "expected the error \(code), found \(error)")
        return error
    }
    throw Unexpected(description: "expected the error \(code), found none")
}
