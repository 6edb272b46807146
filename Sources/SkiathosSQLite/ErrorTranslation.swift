import GRDB
import GRDBSQLite
import SkiathosStore

/// Translates SQLite's result codes and messages into errors in the terms of the schema.
///
/// The only place that does.
struct ErrorTranslation: Sendable {
    /// The entity and columns of a constraint.
    private struct Place {
        var entity: String
        var columns: [String]
    }

    /// Places by their text in SQLite's messages, such as `user.name, user.email`.
    ///
    /// Parsing that text would fail with a dot or comma in a name.
    private let places: [String: Place]

    /// A description of the store, as a part of a message.
    let store: String

    /// The store's file, unless it is in memory.
    let file: String?

    /// Makes a translation for a file whose entities are not known.
    init(file: String) {
        self.file = file
        store = "the store \"\(file)\""
        places = [:]
    }

    /// Makes a translation for the names of a schema, and of the store's file, unless it is in
    /// memory.
    init(_ schema: StoreSchema, file: String?) {
        self.file = file
        store = file.map { "the store \"\($0)\"" } ?? "the store in memory"
        var places: [String: Place] = [:]
        for entity in schema.entities {
            for key in entity.columns.indices.map({ [$0] }) + entity.uniqueKeys {
                let columns = key.map { entity.columns[$0].name }
                let names = columns.map { "\(entity.table).\($0)" }.joined(separator: ", ")
                places[names] = Place(entity: entity.table, columns: columns)
            }
        }
        self.places = places
    }

    /// The error for a result code.
    ///
    /// - Parameters:
    ///   - code: The extended result code.
    ///   - message: SQLite's message, which names tables and columns but holds no values.
    ///   - entity: The table that was worked on, where one is known.
    func error(_ code: Int32, _ message: String, entity: String? = nil) -> StoreError {
        var error =
            code & 0xFF == SQLITE_CONSTRAINT
            ? constraint(code, message) : failure(code, message)
        error.backendCode = Int(code)
        error.entity = error.entity ?? entity
        return error
    }

    /// The translation of an error of GRDB, or the error itself if it is not one.
    func error(_ error: any Error, entity: String? = nil) -> any Error {
        if error is RowDecodingError {
            // An error of GRDB, whose message contains the row. Only the store's own tables
            // are read like this.
            return StoreError(
                .damaged,
                "A bookkeeping table of \(store) is damaged: it has a value that SQLite would not have accepted. Restore the store from a backup.",
                entity: entity)
        }
        if let failure = error as? SystemCalls.Failure {
            return failure.error("A file of \(store) cannot be used")
        }
        guard let failure = error as? DatabaseError else { return error }
        return self.error(
            failure.extendedResultCode.rawValue, failure.message ?? "no message", entity: entity)
    }

    private func constraint(_ code: Int32, _ message: String) -> StoreError {
        let place = place(in: message)
        let columns = place?.columns ?? []
        let what = place.map { Self.describe($0) } ?? "a row"
        func make(_ code: StoreError.Code, _ message: String) -> StoreError {
            StoreError(code, message, entity: place?.entity, columns: columns)
        }
        switch code {
        case ConstraintCode.unique, ConstraintCode.primaryKey, ConstraintCode.rowID:
            return make(
                .uniqueViolation,
                "The value of \(what) must be unique, but another row has it already. Choose another value, or change that row."
            )
        case ConstraintCode.notNull:
            return make(.notNullViolation, "\(what) needs a value, but was given none.")
        case ConstraintCode.foreignKey:
            return make(
                .foreignKeyViolation,
                "A reference leads to a row that is not there, or a row was deleted that others still refer to."
            )
        default:
            return make(
                .constraintViolation, "A constraint of the schema was violated: \(message).")
        }
    }

    /// The place that follows the colon, or the word "column", of a message of SQLite, which
    /// passes it in no other way.
    private func place(in message: String) -> Place? {
        for separator in [" constraint failed: ", " column "] {
            guard let range = message.firstRange(of: separator) else { continue }
            if let place = places[String(message[range.upperBound...])] { return place }
        }
        return nil
    }

    private static func describe(_ place: Place) -> String {
        place.columns.map { "\"\(place.entity)\".\"\($0)\"" }.joined(separator: " with ")
    }
}
