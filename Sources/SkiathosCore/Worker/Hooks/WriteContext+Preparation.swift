import SkiathosStore

/// What a write does before its pending changes are flushed.
struct Preparation {
    /// Whether hooks and validations are running, while nothing is flushed.
    var isRunning = false
    /// Whether the pending changes have been through the hooks already.
    var skipsHooks = false
}

extension WriteContext {
    /// The largest number of rounds in one flush in which hooks lead to changes that lead to
    /// hooks.
    private static var roundLimit: Int { 100 }

    /// Runs hooks until none is due, then validates everything that is pending.
    ///
    /// Called before anything of a flush is applied, and without the connection.
    func prepareFlush() throws {
        preparation.isRunning = true
        defer {
            preparation.isRunning = false
            for unit in units { unit?.forgetHooks() }
        }
        if !preparation.skipsHooks { try runHooks() }
        var failures = ValidationFailures()
        for (unit, traits) in zip(units, traits) where traits.hasValidation {
            unit?.validatePending(into: &failures)
        }
        try failures.check()
    }

    private func runHooks() throws {
        for _ in 0..<Self.roundLimit {
            var hasRun = false
            // By position, since a hook may be the first to use an entity in this write.
            for position in units.indices where traits[position].hasHooks {
                if try units[position]?.runHooks() == true { hasRun = true }
            }
            if !hasRun { return }
        }
        let names = zip(schema.entities, traits).filter(\.1.hasHooks).map(\.0.typeName)
        throw DataAccessError(
            .endlessHooks,
            "The hooks of \(names.joined(separator: ", ")) led to changes that led to hooks, \(Self.roundLimit) times over. Let a hook change another object only where that makes a difference."
        )
    }

    /// Throws inside a hook, where pending changes cannot be flushed.
    func requireNoHook(for call: StaticString) throws {
        guard preparation.isRunning else { return }
        throw DataAccessError(
            .invalidRequest,
            "\(call) was called inside a hook, where the changes of the write are not in the store yet. Fetch objects and change or delete those."
        )
    }
}
