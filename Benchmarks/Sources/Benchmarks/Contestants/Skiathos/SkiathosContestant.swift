import Skiathos

/// Skiathos with its defaults, but for checkpoints as often as SQLite makes its own.
///
/// With its default of 16 MiB it would leave more of them for after the time that is measured than the
/// others can.
final class SkiathosContestant: Contestant {
    static let name = "Skiathos"

    let dal: DataAccessLayer

    init(path: String, cacheSize: Int?) throws {
        var configuration = Configuration()
        configuration.checkpointSize = 4 << 20
        if let cacheSize { configuration.cacheSize = cacheSize }
        dal = try DataAccessLayer(
            .sqlite(path), entities: User.self, Company.self, configuration: configuration)
    }

    func close() throws { try dal.close() }
}
