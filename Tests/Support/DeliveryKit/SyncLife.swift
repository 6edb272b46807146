#if RequestCore
#if canImport(Glibc)
import DataRequestCore
import DataRequestPersistence
import Foundation
import Skiathos

/// What a process does that fetches a catalogue into a store, until it is killed.
package struct SyncLife: Sendable {
    private struct Item: Decodable, Sendable {
        var token: String
        var key: String
    }

    private struct Page: Decodable {
        var next: String?
    }

    private let dal: DataAccessLayer
    private let service: DataRequestService

    /// Opens the store.
    package init(path: String, port: UInt16) async throws {
        dal = try await DataAccessLayer.open(
            .sqlite(path), entities: [Change.self] + DataRequestEntities.all)
        guard let base = URL(string: "http://127.0.0.1:\(port)") else {
            throw CocoaError(.fileReadUnknown)
        }
        service = try DataRequestService(
            environment: ServerEnvironment("test", baseURL: base),
            transport: SocketTransport(port: port))
    }

    /// Fetches and stores all of it, and closes the store.
    package func work() async throws {
        var options = SyncOptions<Change>()
        options.place = .key("items")
        options.pages = .cursor("after") { try $0.decode(Page.self).next }
        options.batchSize = 20
        options.deleteMissing = .all
        options.revalidation = .firstPage
        try await dal.sync(
            Change.self, from: DataRequest(.get, "items"), over: service, by: \.token,
            options: options
        ) { (item: Item, _) in
            var change = Change(id: .unassigned)
            change.token = item.token
            change.key = item.key
            return change
        }
        try await dal.close()
    }
}
#endif
#endif
