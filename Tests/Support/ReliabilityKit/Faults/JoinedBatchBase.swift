import Foundation
import Skiathos
import SkiathosTesting

/// The file of a store with a team and players, which is larger than the cache of a ``JoinedBatchRun``.
package struct JoinedBatchBase: Sendable {
    static let players = 400
    static let text = String(repeating: "x", count: 700)
    private let image: DiskImage
    /// How many pages the file has.
    let pageCount: Int

    /// Writes the store.
    package init() async throws {
        let directory = try TemporaryDirectory()
        let volume = try Volume(directory.path)
        try await withStore(.sqlite(volume.path), entities: Team.self, Player.self) { dal in
            try await dal.write { context in
                let team = try Team.create(in: context).id
                // In no order of the names, so that the pages of the index are all over the file.
                for number in 0..<Self.players {
                    try Player.create(in: context) {
                        $0.name = Self.name(number)
                        $0.rank = -(number * 7_919 % Self.players) - 1
                        $0.team = team
                        $0.text = Self.text
                    }
                }
            }
        }
        let disk = Disk(volume)
        disk.advance(to: volume.length)
        image = disk.imageAfterKill
        let attributes = try FileManager.default.attributesOfItem(atPath: volume.path)
        pageCount = (attributes[.size] as? Int ?? 0) / JoinedBatchTrouble.pageSize
    }

    /// The name of a player that is there from the beginning.
    static func name(_ number: Int) -> String {
        "\(number * 7_919 % players) \(String(repeating: "n", count: 60))"
    }

    /// The ranks of all players, by name.
    static var ranks: [String: Int] {
        Dictionary(
            uniqueKeysWithValues: (0..<players).map { (name($0), -($0 * 7_919 % players) - 1) })
    }

    func write(to path: String) throws { try image.write(to: path) }
}
