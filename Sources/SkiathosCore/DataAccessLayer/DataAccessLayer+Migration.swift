public import SkiathosStore

extension DataAccessLayer {
    /// Plans the changes that opening a store for writing would make, and changes nothing.
    ///
    /// ```swift
    /// let plan = try await DataAccessLayer.migrationPlan(
    ///     for: .sqlite("app.sqlite"), entities: User.self, configuration: configuration)
    /// print(plan)                 // the changes in words, with their SQL
    /// guard plan.isApplicable, !plan.losesData else { … }
    /// ```
    ///
    /// - Parameters:
    ///   - source: Where the store is.
    ///   - entities: All entities that the store is to hold.
    ///   - configuration: Has the migrations, in `migrations`.
    /// - Throws: `StoreError` if the entities contradict each other, or if the store cannot be
    ///   read. A store that cannot be changed is reported in the plan.
    public static func migrationPlan(
        for source: StoreSource, entities: any Entity.Type...,
        configuration: Configuration = Configuration()
    ) async throws -> MigrationPlan {
        try await migrationPlan(for: source, entities: entities, configuration: configuration)
    }

    /// Plans the changes that opening a store with computed entities would make.
    public static func migrationPlan(
        for source: StoreSource, entities: [any Entity.Type],
        configuration: Configuration = Configuration()
    ) async throws -> MigrationPlan {
        try await offPool { isCancelled in
            try source.plan(schema(entities), options(configuration, isCancelled))
        }
    }

    /// Plans the changes that opening a store for writing would make, and blocks meanwhile.
    @available(*, noasync, message: "Use `try await DataAccessLayer.migrationPlan(…)`.")
    public static func migrationPlan(
        for source: StoreSource, entities: any Entity.Type...,
        configuration: Configuration = Configuration()
    ) throws -> MigrationPlan {
        try source.plan(schema(entities), options(configuration))
    }

    /// Runs the whole migration on a temporary copy of a store, as a dry run, and reports its
    /// result.
    ///
    /// ```swift
    /// let rehearsal = try await DataAccessLayer.rehearseMigration(
    ///     of: .sqlite("app.sqlite"), entities: User.self, configuration: configuration)
    /// print(rehearsal)            // rows before and after, problems, duration
    /// ```
    ///
    /// The store is not changed, and may be in use meanwhile. The copy is as large as the
    /// store and lies where SQLite keeps temporary files. The closures of migrations run as
    /// they would.
    public static func rehearseMigration(
        of source: StoreSource, entities: any Entity.Type...,
        configuration: Configuration = Configuration()
    ) async throws -> MigrationRehearsal {
        try await rehearseMigration(of: source, entities: entities, configuration: configuration)
    }

    /// Runs the whole migration on a temporary copy of a store whose entities are computed.
    public static func rehearseMigration(
        of source: StoreSource, entities: [any Entity.Type],
        configuration: Configuration = Configuration()
    ) async throws -> MigrationRehearsal {
        try await offPool { isCancelled in
            try source.rehearse(schema(entities), options(configuration, isCancelled))
        }
    }

    /// Runs the whole migration on a temporary copy of a store, and blocks meanwhile.
    @available(*, noasync, message: "Use `try await DataAccessLayer.rehearseMigration(…)`.")
    public static func rehearseMigration(
        of source: StoreSource, entities: any Entity.Type...,
        configuration: Configuration = Configuration()
    ) throws -> MigrationRehearsal {
        try source.rehearse(schema(entities), options(configuration))
    }

    static func schema(_ entities: [any Entity.Type]) throws -> StoreSchema {
        for case let entity as any TableEntity.Type in entities { try entity.validateTable() }
        return try StoreSchema(entities.map { $0.schemaWithDefaults })
    }

    private static func options(
        _ configuration: Configuration, _ isCancelled: (@Sendable () -> Bool)? = nil
    ) throws -> StoreOptions {
        var options = try configuration.storeOptions(nil)
        options.isCancelled = isCancelled
        return options
    }
}
