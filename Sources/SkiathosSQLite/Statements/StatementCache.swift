import GRDB

/// The compiled statements of one connection, by their text.
///
/// Not `Sendable`: used by whoever has the connection alone, which guards every field.
final class StatementCache {
    /// How many statements are kept.
    static let capacity = 200

    private let makeStatement: (String) throws -> Statement
    private var statements: [String: PreparedStatement] = [:]
    /// Some of them by the shape of their request, which is found without its text.
    private var shaped: [RequestShape: PreparedStatement] = [:]
    private var uses = 0

    /// Makes a cache for a connection.
    init(_ makeStatement: @escaping (String) throws -> Statement) {
        self.makeStatement = makeStatement
    }

    /// The number of statements that are kept.
    var count: Int { statements.count }

    /// A statement that nobody is using, compiled if need be.
    func statement(_ sql: String) throws -> PreparedStatement {
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

    /// The statement for requests of a shape, unless it is not kept or somebody is using it.
    func statement(for shape: RequestShape) -> PreparedStatement? {
        guard let known = shaped[shape], !known.isInUse else { return nil }
        uses += 1
        known.lastUse = uses
        return known
    }

    /// Keeps a statement for requests of a shape, as long as it is kept at all.
    func keep(_ statement: PreparedStatement, for shape: RequestShape, sql: String) {
        guard statements[sql] === statement else { return }
        if shaped.count >= Self.capacity { shaped.removeAll() }
        shaped[shape.withoutParameters] = statement
    }

    /// Compiles a statement for a place that keeps it itself.
    func compile(_ sql: String) throws -> PreparedStatement {
        PreparedStatement(try makeStatement(sql))
    }

    /// Forgets all statements.
    func removeAll() {
        statements.removeAll()
        shaped.removeAll()
    }

    /// Forgets the half that was not used for longest.
    ///
    /// Sorting all of them happens so seldom that keeping them sorted would cost more.
    private func evict() {
        let oldest = statements.sorted { $0.value.lastUse < $1.value.lastUse }
        for (sql, _) in oldest.prefix(Self.capacity / 2) { statements[sql] = nil }
        shaped.removeAll()
    }
}
