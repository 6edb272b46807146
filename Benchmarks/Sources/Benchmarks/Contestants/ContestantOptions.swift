/// What a contestant is opened with.
struct ContestantOptions {
    /// The bytes of pages that each connection keeps; the contestant's own default without.
    var cacheSize: Int?
    /// The longest time between a write that is acknowledged as visible and its commit.
    ///
    /// Only Skiathos has one; its own default without.
    var commitInterval: Duration?
    /// Whether checkpoints are made as often as the contestant makes them by default, instead of
    /// as often as SQLite makes its own.
    var hasDefaultCheckpoints = false
    /// How many entities the schema has: users, companies, and others without rows.
    ///
    /// Only Skiathos knows of entities.
    var entities = 2
}
