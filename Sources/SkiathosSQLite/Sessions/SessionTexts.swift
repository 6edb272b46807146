import SkiathosStore

/// What all connections of one store know about its schema.
final class SessionTexts: Sendable {
    /// The entities.
    let schema: StoreSchema
    /// Writes requests as SQL.
    let requests: RequestRenderer
    /// Names entities and columns in errors.
    let errors: ErrorTranslation

    /// Prepares what can be prepared for a schema.
    init(_ schema: StoreSchema) {
        self.schema = schema
        requests = RequestRenderer(schema)
        errors = ErrorTranslation(schema)
    }
}
