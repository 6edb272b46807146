import SkiathosStore

/// The statements for rows of one entity by their IDs, kept at hand: looking one up by its text costs
/// about as much as executing it.
///
/// Not `Sendable`: used only by the holder of the connection, which guards every field. Not a
/// struct, which would be copied as a whole to read one field.
final class EntityStatements {
    /// The use of a statement for a row, or for bulk rows.
    enum Purpose: Hashable {
        case find
        case findInBulk
        case findRuns
        case insert
        case update(ColumnSet)
        case delete
    }

    /// For how many sets of columns the statements that update are kept.
    static let updateLimit = 32

    // Single statements are only read and set as a whole, so the runtime need not check
    // exclusive access.
    @exclusivity(unchecked) private var find: PreparedStatement?
    @exclusivity(unchecked) private var findInBulk: PreparedStatement?
    @exclusivity(unchecked) private var findRuns: PreparedStatement?
    @exclusivity(unchecked) private var insert: PreparedStatement?
    @exclusivity(unchecked) private var delete: PreparedStatement?
    private var updates: [ColumnSet: PreparedStatement] = [:]

    /// The cached statement for a purpose, unless it is in use.
    func statement(for purpose: Purpose) -> PreparedStatement? {
        let known: PreparedStatement? =
            switch purpose {
            case .find: find
            case .findInBulk: findInBulk
            case .findRuns: findRuns
            case .insert: insert
            case .delete: delete
            case .update(let columns): updates[columns]
            }
        guard let known, !known.isInUse else { return nil }
        return known
    }

    /// Keeps a statement for a purpose, in place of none.
    func keep(_ statement: PreparedStatement, for purpose: Purpose) {
        switch purpose {
        case .find: find = find ?? statement
        case .findInBulk: findInBulk = findInBulk ?? statement
        case .findRuns: findRuns = findRuns ?? statement
        case .insert: insert = insert ?? statement
        case .delete: delete = delete ?? statement
        case .update(let columns):
            guard updates[columns] == nil, updates.count < Self.updateLimit else { return }
            updates[columns] = statement
        }
    }
}

extension EntitySQL {
    /// The statement for a purpose.
    func sql(for purpose: EntityStatements.Purpose) -> String {
        switch purpose {
        case .find: selectByID
        case .findInBulk: selectInBulk
        case .findRuns: selectRuns
        case .insert: insert
        case .update(let columns): update(columns)
        case .delete: deleteByID
        }
    }
}
