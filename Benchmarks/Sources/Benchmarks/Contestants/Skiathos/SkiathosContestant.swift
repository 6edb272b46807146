import Skiathos

/// Skiathos with its defaults, but for checkpoints as often as SQLite makes its own.
///
/// With its default of 16 MiB it would leave more of them for after the time that is measured than the
/// others can.
final class SkiathosContestant: Contestant {
    static let name = "Skiathos"

    let dal: DataAccessLayer

    init(path: String, options: ContestantOptions) throws {
        var configuration = Configuration()
        if !options.hasDefaultCheckpoints { configuration.checkpointSize = 4 << 20 }
        if let cacheSize = options.cacheSize { configuration.cacheSize = cacheSize }
        if let interval = options.commitInterval { configuration.commitInterval = interval }
        let entities: [any Entity.Type] = [User.self, Company.self]
        dal = try DataAccessLayer(
            .sqlite(path), entities: entities + Paddings.entities(options.entities - 2),
            configuration: configuration)
    }

    func close() throws { try dal.close() }
}
