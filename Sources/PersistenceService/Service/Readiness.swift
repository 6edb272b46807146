/// Whether a persistence service can be used yet.
public enum Readiness: Sendable {
    /// Its store is being opened. Exits: `ready`, `failed`.
    case opening
    /// It can be used. No exit.
    case ready
    /// Its store could not be opened, for this reason. No exit.
    case failed(any Error)

    /// Whether it can be used.
    public var isReady: Bool { if case .ready = self { true } else { false } }

    /// Why it cannot be used, if that is decided.
    public var failure: (any Error)? {
        if case .failed(let error) = self { error } else { nil }
    }
}

/// What an operation does before the store is ready.
public enum BeforeReady: Sendable, Hashable, CaseIterable {
    /// It waits, and fails if the opening does.
    case wait
    /// It fails at once with the code `notReady`.
    case fail
}
