#if Macros && Requests
import ArgumentParser
import DataRequestPersistence
import ServiceLifecycle
import Skiathos

/// What happens to a client: it syncs, is changed while the server is away, delivers, and is compared.
///
/// It is the last service of the client's group, so all others run meanwhile.
struct Story: Service {
    let client: ShopClient
    /// The store of the server.
    let shop: DataAccessLayer
    let server: ShopServer
    /// How many tracks are changed while the server is away.
    let changes: Int

    /// Tells the story to its end, or until the group stops.
    ///
    /// - Throws: `ExitCode` if the two sides differ in the end.
    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown { try await tell() }
        } catch {
            guard Task.isShuttingDownGracefully else { throw error }
            print("stopped: what was not delivered is kept for the next run")
        }
    }

    private func tell() async throws {
        let offered = try await shop.read { try Contents(in: $0) }
        print("server: \(offered.summary)")
        let count = offered.artists.count + offered.albums.count + offered.tracks.count
        print("first sync: \(try await client.sync(count).summary)")
        let again = try await client.sync(count)
        print(
            "again: \(again.isNotModified ? "nothing has changed, nothing written" : again.summary)"
        )

        try await server.stop()
        let events = client.queue.events
        let made = try await client.change(changes)
        let queued = try await client.queue.counts().pending
        print("offline: \(made) tracks changed, \(queued) requests queued")
        _ = await events.first { _ in true }
        try Task.checkCancellation()
        let waiting = try await client.queue.counts().pending
        print("no server: \(queued - waiting) delivered, \(waiting) wait")

        let newServer = try await ShopServer.start(shop, port: server.port)
        // The queue tries again by itself.
        for await _ in events {
            if try await client.queue.counts().pending == 0 { break }
        }
        try Task.checkCancellation()
        let left = try await client.queue.counts().pending
        print("back again: \(waiting - left) delivered, \(left) wait")
        print("last sync: \(try await client.sync(count).summary)")
        try await newServer.stop()
        try await compare()
    }

    private func compare() async throws {
        let mine = try await client.dal.read { try Contents(in: $0) }
        let theirs = try await shop.read { try Contents(in: $0) }
        let differences = mine.differences(from: theirs)
        print("server: \(theirs.summary)")
        print("client: \(mine.summary)")
        print(differences == 0 ? "both sides are equal" : "\(differences) rows differ")
        if differences != 0 { throw ExitCode(1) }
    }
}
#endif
