#if RequestCore
import DataRequestCore
import DataRequestPersistence
import Foundation
import HTTPTypes
import ReliabilityKit
import Skiathos
import TestTools

#if canImport(Glibc)
/// What a process does with a store and a queue, until it is killed.
package struct DeliveryLife: Sendable {
    private let dal: DataAccessLayer
    private let queue: OfflineQueue

    /// Opens the store.
    package init(path: String, port: UInt16) async throws {
        dal = try await DataAccessLayer.open(
            .sqlite(path), entities: [Change.self] + DataRequestEntities.all)
        guard let base = URL(string: "http://127.0.0.1:\(port)") else {
            throw CocoaError(.fileReadUnknown)
        }
        var options = DataRequestService.Configuration()
        options.retry = .never
        let service = try DataRequestService(
            environment: ServerEnvironment("test", baseURL: base),
            transport: SocketTransport(port: port), configuration: options)
        var configuration = OfflineQueue.Configuration()
        configuration.firstDelay = .milliseconds(3)
        configuration.maximumDelay = .milliseconds(30)
        queue = OfflineQueue(dal, over: service, configuration: configuration)
    }

    private struct Thrown: Error {}

    /// Writes changes with their requests, and delivers meanwhile.
    package func work(seed: UInt64) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await queue.run() }
            for writer in 0..<3 {
                group.addTask {
                    var random = SeededNumbers(seed: seed &+ UInt64(writer))
                    for _ in 0..<30 { try await write(&random) }
                }
            }
            try await group.waitForAll()
        }
    }

    private func write(_ random: inout SeededNumbers) async throws {
        let key = "k\(random.below(5))"
        let token = UUID().uuidString
        let isThrown = random.happens(20)
        do {
            try await dal.write { context in
                try Change.create(in: context) { change in
                    change.key = key
                    change.token = token
                }
                let request = DataRequest(.post, "\(key)/\(token)")
                    .body(.data(Data(token.utf8), contentType: "text/plain"))
                try context.enqueue(request, key: key)
                if isThrown { throw Thrown() }
            }
        } catch is Thrown {}
    }

    /// Delivers all that is left, and closes the store.
    package func finish() async throws {
        while try await queue.counts().pending > 0 { _ = try await queue.deliverNow() }
        try await dal.close()
    }
}
#endif
#endif
