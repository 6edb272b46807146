import GRDB

/// The compiled statements of one connection, by their text.
///
/// Not `Sendable`: used only by the holder of the connection, which guards every field.
final class StatementCache {
    /// How many statements are kept.
    static let capacity = 200

    private let makeStatement: (String) throws -> Statement
    private var statements: [String: PreparedStatement] = [:]
    /// Some of them by the shape of their request, which is found without its text.
    private var shaped: [RequestShape: PreparedStatement] = [:]
    // The statements of the last shapes, by the mark of the shape: hashing takes longer than all
    // else that finds a statement. Only read and set as a whole.
    @exclusivity(unchecked) private var recent = StatementCache.noneRecent
    private var uses = 0

    private struct Recent {
        let shape: RequestShape
        let statement: PreparedStatement
    }

    private static var noneRecent: [Recent?] { Array(repeating: nil, count: 16) }

    /// Makes a cache for a connection.
    init(_ makeStatement: @escaping (String) throws -> Statement) {
        self.makeStatement = makeStatement
    }

    /// The number of statements that are kept.
    var count: Int { statements.count }

    /// The longest text of a statement that is kept, in UTF-8.
    ///
    /// A longer one takes megabytes, and hardly comes again with as many parts.
    static let longestText = 65_536

    /// A statement that is not in use; compiled if necessary.
    func statement(_ sql: String) throws -> PreparedStatement {
        guard sql.utf8.count <= Self.longestText else { return try compile(sql) }
        uses += 1
        if let known = statements[sql] {
            known.lastUse = uses
            // A query inside the loop over the same query needs a statement of its own.
            return known.isInUse ? try compile(sql) : known
        }
        let fresh = try compile(sql)
        fresh.lastUse = uses
        if statements.count >= Self.capacity { evict() }
        statements[sql] = fresh
        return fresh
    }

    /// The cached statement for requests of a shape, unless it is in use.
    func statement(for shape: RequestShape) -> PreparedStatement? {
        let place = shape.mark & 15
        let known: PreparedStatement
        if let last = recent[place], last.shape == shape {
            known = last.statement
        } else {
            guard let statement = shaped[shape] else { return nil }
            recent[place] = Recent(shape: shape, statement: statement)
            known = statement
        }
        guard !known.isInUse else { return nil }
        uses += 1
        known.lastUse = uses
        return known
    }

    /// Keeps a statement for requests of a shape, as long as it is kept at all.
    func keep(_ statement: PreparedStatement, for shape: RequestShape, sql: String) {
        guard statements[sql] === statement else { return }
        if shaped.count >= Self.capacity { shaped.removeAll() }
        shaped[shape] = statement
    }

    /// Compiles a statement that the caller keeps.
    func compile(_ sql: String) throws -> PreparedStatement {
        PreparedStatement(try makeStatement(sql))
    }

    /// Removes all statements.
    func removeAll() {
        statements.removeAll()
        shaped.removeAll()
        recent = Self.noneRecent
    }

    /// Evicts the least recently used half.
    ///
    /// Eviction is so rare that keeping the statements sorted would cost more.
    private func evict() {
        let oldest = statements.sorted { $0.value.lastUse < $1.value.lastUse }
        for (sql, _) in oldest.prefix(Self.capacity / 2) { statements[sql] = nil }
        shaped.removeAll()
        recent = Self.noneRecent
    }
}
