import SkiathosStore

/// What all connections of one store know about its schema.
final class SessionTexts: Sendable {
    /// The entities.
    let schema: StoreSchema
    /// Writes requests as SQL.
    let requests: RequestRenderer
    /// Names entities, columns and the file in errors.
    let errors: ErrorTranslation

    /// Prepares what can be prepared for a schema and a file, or a store in memory.
    init(_ schema: StoreSchema, file: String?) {
        self.schema = schema
        requests = RequestRenderer(schema)
        errors = ErrorTranslation(schema, file: file)
    }
}
