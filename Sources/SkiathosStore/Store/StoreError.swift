/// An error of the persistent store, with a code that a program can act on.
///
/// ```swift
/// do {
///     try dal.write { try User.create(in: $0) { $0.email = "ada@example.org" } }
/// } catch let error as StoreError where error.code == .uniqueViolation {
///     print(error.entity ?? "", error.columns)   // user ["email"]
/// }
/// ```
///
/// Messages name entities, columns, files and rows: a row by its place among those that were stored
/// together, and by its ID unless that is a text. They never contain other values of users' rows.
public struct StoreError: Error, Sendable, Hashable {
    /// The kind of failure.
    ///
    /// New codes may be added, so a `switch` needs a `default`.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The stable name of the code, for logs and metrics.
        public let rawValue: String

        /// Makes a code for a backend.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The stable name of the code.
        public var description: String { rawValue }
    }

    /// The outcome of the failed write.
    public enum Outcome: String, Sendable, Hashable, CaseIterable {
        /// The write is not in the store.
        case notCommitted
        /// The write is in the store, but may not survive a loss of power.
        case committed
        /// The commit failed, or the files were removed: the write may or may not be there
        /// when the store is opened again.
        case unknown
    }

    /// The place of a row among those of one entity that a write creates, changes or deletes.
    public struct RowPlace: Sendable, Hashable, CustomStringConvertible {
        /// The number of the row, from 1.
        public var number: Int
        /// How many rows there are.
        public var count: Int

        /// Makes the place of a row.
        public init(number: Int, of count: Int) {
            self.number = number
            self.count = count
        }

        /// Such as "row 37 of 100".
        public var description: String { "row \(number) of \(count)" }
    }

    /// The kind of failure.
    public var code: Code

    /// The outcome of the write.
    public var outcome = Outcome.notCommitted

    /// What was expected, what was found and what to do about it.
    public var message: String

    /// The table of the entity concerned, where one is known.
    public var entity: String?

    /// The columns concerned, where they are known.
    public var columns: [String]

    /// The ID of the row concerned, where it is known.
    public var rowID: StoreValue?

    /// The place of the row concerned among those that were stored together, where it is known.
    public var rowPlace: RowPlace?

    /// The backend's own result code (for SQLite, the extended one), where there is one.
    public var backendCode: Int?

    /// A description of the error that led to this one.
    public var cause: String?

    /// The position among the results of a query of a value that could not be decoded.
    package var position: Int?

    /// Whether the check of a column has refused a computed value, rather than the computation
    /// itself having failed.
    package var isColumnCheckFailure = false

    /// Whether a sync has failed, or another program has changed the files.
    ///
    /// Then earlier durable writes may be lost, and nothing may be acknowledged as durable any
    /// more.
    package var endsDurability = false

    /// The place in the source that reported the error, as `file:line`.
    public var place: String

    /// Makes an error; the place is the caller's unless given.
    public init(
        _ code: Code, _ message: String, entity: String? = nil, columns: [String] = [],
        backendCode: Int? = nil, cause: (any Error)? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        self.code = code
        self.message = message
        self.entity = entity
        self.columns = columns
        self.backendCode = backendCode
        self.cause = cause.map { String(describing: $0) }
        self.place = "\(file):\(line)"
    }

    /// Whether the disk may hold less than was written to it.
    package var isStorageFailure: Bool { code == .inputOutput || code == .interference }

    /// The same error, with the entity and columns filled in where they were not known yet.
    public func locating(entity: String, columns: [String] = []) -> StoreError {
        var error = self
        error.entity = error.entity ?? entity
        if error.columns.isEmpty { error.columns = columns }
        return error
    }
}

extension StoreError: CustomStringConvertible {
    /// The message, followed by the entity, columns and row, the backend's code and the cause.
    public var description: String {
        var text = message
        let details = details
        if !details.isEmpty { text += " [\(details.joined(separator: ", "))]" }
        if let backendCode {
            text += " (\(code), backend code \(backendCode))"
        } else {
            text += " (\(code))"
        }
        if let cause { text += " Cause: \(cause)" }
        return text
    }

    /// The entity, columns and row of the error, as texts.
    private var details: [String] {
        guard let entity else { return [] }
        var details = columns.isEmpty ? [entity] : columns.map { "\(entity).\($0)" }
        if let rowPlace, rowPlace.count > 1 { details.append("\(rowPlace)") }
        if let text = rowID?.generatedIDText { details.append("ID \(text)") }
        return details
    }
}

extension StoreValue {
    /// An ID of a kind that is generated; a text may be what a user has typed.
    package var generatedIDText: String? {
        switch self {
        case .integer(let number): return "\(number)"
        case .blob(let bytes) where bytes.count == 16:
            let digits = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
            var text = digits.joined().uppercased()
            for place in [20, 16, 12, 8] {
                text.insert("-", at: text.index(text.startIndex, offsetBy: place))
            }
            return text
        default: return nil
        }
    }
}
