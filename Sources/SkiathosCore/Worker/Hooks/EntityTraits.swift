import SkiathosStore

/// The optional capabilities of an entity, determined once when the store is opened.
struct EntityTraits: Sendable {
    /// Whether its values are validated.
    let hasValidation: Bool
    /// Whether it has hooks that run before its objects are written.
    let hasHooks: Bool
    /// The entity, if it observes commits.
    let observer: (any CommitObserving.Type)?
    /// The unit of work of the entity in a write, created on first use.
    let unit: @Sendable (WriteContext) throws -> any AnyUnitOfWork

    /// Whether hooks or a validation run before its objects are flushed.
    var needsPreparation: Bool { hasValidation || hasHooks }

    init<E: Entity>(_ entity: E.Type) {
        // Only the default implementation marks itself as the default.
        var validation = Validation<E>()
        E(id: .unassigned).validate(&validation)
        hasValidation = !validation.isDefault
        hasHooks = entity is any WriteHooks.Type
        observer = entity as? any CommitObserving.Type
        unit = { context in try context.unit(of: E.self) }
    }

    /// The traits of all entities, by their positions in the schema.
    static func all(_ entities: [any Entity.Type], in schema: StoreSchema) throws -> [EntityTraits]
    {
        var entitiesByPosition = entities
        for entity in entities {
            guard let position = schema.position(of: entity) else {
                throw DataAccessError.unknownEntity(entity)
            }
            entitiesByPosition[position] = entity
        }
        return entitiesByPosition.map { EntityTraits($0) }
    }
}
