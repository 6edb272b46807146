import Skiathos

/// Skiathos with its defaults.
final class SkiathosContestant: Contestant {
    static let name = "Skiathos"

    let dal: DataAccessLayer

    init(path: String, cacheSize: Int?) throws {
        var configuration = Configuration()
        if let cacheSize { configuration.cacheSize = cacheSize }
        dal = try DataAccessLayer(
            .sqlite(path), entities: User.self, Company.self, configuration: configuration)
    }

    func close() throws { try dal.close() }
}
