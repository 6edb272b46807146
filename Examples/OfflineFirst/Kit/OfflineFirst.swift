#if Macros && Requests
package import ArgumentParser
import DataRequestPersistence
import Foundation
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
        let server = try await DataAccessLayer.openServer(at: "\(place)/server.sqlite")
        let client = try await DataAccessLayer.openClient(at: "\(place)/client.sqlite")
        let isEqual = try await play(server, client)
        try await client.close()
        try await server.close()
        if !isEqual { throw ExitCode(1) }
    }

    private func play(_ store: DataAccessLayer, _ local: DataAccessLayer) async throws -> Bool {
        let catalogue = try ShopFile(path: data)
        try await store.write { context in
            if try !Artist.exists(in: context) { try catalogue.store(in: context) }
        }
        let offered = try await store.read { try Contents(in: $0) }
        print("server: \(offered.summary)")
        let count = offered.artists.count + offered.albums.count + offered.tracks.count

        var server = try await ShopServer.start(store)
        let client = try ShopClient(local, port: server.port)
        print("first sync: \(try await client.sync(count).summary)")
        let again = try await client.sync(count)
        print(
            "again: \(again.isNotModified ? "nothing has changed, nothing written" : again.summary)"
        )

        try await server.stop()
        let made = try await client.change(changes)
        print(
            "offline: \(made) tracks changed, \(try await client.queue.counts().pending) requests queued"
        )
        let vain = try await client.queue.deliverNow()
        print("no server: \(vain.delivered) delivered, \(vain.waiting) wait")

        server = try await ShopServer.start(store, port: server.port)
        let delivered = try await client.queue.deliverNow()
        print("back again: \(delivered.delivered) delivered, \(delivered.waiting) wait")
        print("last sync: \(try await client.sync(count).summary)")
        try await client.stop()
        try await server.stop()

        let mine = try await local.read { try Contents(in: $0) }
        let theirs = try await store.read { try Contents(in: $0) }
        let differences = mine.differences(from: theirs)
        print("server: \(theirs.summary)")
        print("client: \(mine.summary)")
        print(differences == 0 ? "both sides are equal" : "\(differences) rows differ")
        return differences == 0
    }
}
#endif
