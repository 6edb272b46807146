import SkiathosStore

/// What all connections of one store know about its schema.
final class SessionTexts: Sendable {
    /// The entities.
    let schema: StoreSchema
    /// What the program has declared beside the entities.
    let declaredObjects: Set<String>
    /// What the file may hold beside the tables of the entities.
    let objects: KnownObjects
    /// Writes requests as SQL.
    let requests: RequestRenderer
    /// Names entities, columns and the file in errors.
    let errors: ErrorTranslation

    /// Prepares what can be prepared for a schema and a file, or a store in memory.
    init(_ schema: StoreSchema, declaredObjects: Set<String>, file: String?) {
        self.schema = schema
        self.declaredObjects = declaredObjects
        objects = KnownObjects(schema, declared: declaredObjects)
        requests = RequestRenderer(schema)
        errors = ErrorTranslation(schema, file: file)
    }
}
