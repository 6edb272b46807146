#if Macros && Requests
package import ArgumentParser
import Foundation
import ServiceLocator
import Skiathos

/// Syncs a client with a server, changes things while the server is away, and compares both sides.
package struct OfflineFirst: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "OfflineFirst",
        abstract:
            "Syncs a shop, changes it offline, delivers the changes, and compares both sides.",
        discussion: "The exit code is 1 if the two sides differ in the end.")

    @Option(help: "The file with the catalogue that the server begins with.")
    var data = "Examples/MusicShop/Data/chinook.json"

    @Option(help: "How many tracks are changed while the server is away.")
    var changes = 40

    @Option(help: "The directory of both stores; a temporary one without it.")
    var directory: String?

    package init() {}

    package func validate() throws {
        guard (1...10_000).contains(changes) else {
            throw ValidationError("--changes must lie between 1 and 10000.")
        }
        guard FileManager.default.fileExists(atPath: data) else {
            throw ValidationError(
                "There is no file \"\(data)\". Run the example in the directory of the package, or give one with --data."
            )
        }
    }

    package func run() async throws {
        let base = FileManager.default.temporaryDirectory
        let place = directory ?? base.appendingPathComponent(UUID().uuidString).path
        try FileManager.default.createDirectory(
            atPath: place, withIntermediateDirectories: true)
        defer { if directory == nil { try? FileManager.default.removeItem(atPath: place) } }
        let shop = try await DataAccessLayer.openServer(at: "\(place)/server.sqlite")
        do {
            try await play(at: place, shop)
        } catch {
            // What went wrong first is what the user wants to know.
            try? await shop.close()
            throw error
        }
        try await shop.close()
    }

    private func play(at place: String, _ shop: DataAccessLayer) async throws {
        let catalogue = try ShopFile(path: data)
        try await shop.write { context in
            if try !Artist.exists(in: context) { try catalogue.store(in: context) }
        }
        let server = try await ShopServer.start(shop)
        let app = try Composition.client(at: "\(place)/client.sqlite", port: server.port)
        let story = Story(
            client: try await app.resolve(), shop: shop, server: server, changes: changes)
        try await Composition.run(app, story)
    }
}
#endif
