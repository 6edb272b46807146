import SkiathosStore

/// The prepared SQL and errors of a schema, shared by all connections of a store.
final class StoreSQL: Sendable {
    /// The entities.
    let schema: StoreSchema
    /// The objects that the program has declared beside the entities.
    let declaredObjects: Set<String>
    /// The objects that the file may have beside the tables of the entities.
    let objects: AllowedObjects
    /// Writes requests as SQL.
    let requests: RequestRenderer
    /// Follows the references through which deletions go on.
    let cascades: CascadeSQL
    /// Names entities, columns and the file in errors.
    let errors: ErrorTranslation
    /// Whether inserting a row of an entity, by its position, runs no trigger.
    let insertsPlainly: [Bool]

    /// Prepares the SQL and errors for a schema and a file, or a store in memory.
    init(_ schema: StoreSchema, declaredObjects: Set<String>, file: String?) {
        self.schema = schema
        self.declaredObjects = declaredObjects
        objects = AllowedObjects(schema, declared: declaredObjects)
        requests = RequestRenderer(schema)
        cascades = CascadeSQL(schema, requests.entities)
        errors = ErrorTranslation(schema, file: file)
        // Full-text search has triggers; others have to be declared, or the store is not opened.
        insertsPlainly = schema.entities.map { declaredObjects.isEmpty && $0.searchable.isEmpty }
    }
}
