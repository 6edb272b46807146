#if Macros && Requests && Lifecycle && Hummingbird
import DataRequestCore
import DataRequestPersistence
import Foundation
import Skiathos

@Entity private struct Song: Decodable {
    @Unique var number = 0
    var title = ""

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Keys.self)
        self.init(id: .unassigned)
        number = try values.decode(Int.self, forKey: .number)
        title = try values.decode(String.self, forKey: .title)
    }

    private enum Keys: String, CodingKey { case number, title }
}

/// Uses of the numbers that the offline queue and syncs take.
enum QueueNumbers {
    static let uses = queues + syncs

    /// Delivers a request whose first answer is a failure, and stops.
    private static func deliver(
        within deadline: Duration = .seconds(1),
        _ change: (inout OfflineQueue.Configuration) -> Void
    ) async throws {
        var configuration = OfflineQueue.Configuration()
        configuration.firstDelay = .zero
        change(&configuration)
        let dal = try await DataAccessLayer.open(.inMemory, entities: DataRequestEntities.all)
        try await RequestNumbers.withService(
            answers: [.status(.serviceUnavailable), .status(.ok)]
        ) { [configuration] service in
            let queue = OfflineQueue(dal, over: service, configuration: configuration)
            try await dal.write { context -> Void in
                try context.enqueue(DataRequest(.post, "songs"), key: "song")
            }
            _ = try await queue.deliverNow()
            _ = try await queue.deliverNow()
            await queue.stop(within: deadline)
        }
        try await dal.close()
    }

    private static let queues: [NumberUse] = [
        .count(["OfflineQueue.Configuration.maximumConcurrency"]) { number in
            try await deliver { $0.maximumConcurrency = number }
        },
        .count(["OfflineQueue.Configuration.maximumAttempts"]) { number in
            try await deliver { $0.maximumAttempts = number }
        },
        .count(["OfflineQueue.Configuration.maximumAnswerSize"]) { number in
            try await deliver { $0.maximumAnswerSize = number }
        },
        .time(["OfflineQueue.Configuration.firstDelay"]) { time in
            try await deliver { $0.firstDelay = time }
        },
        .time(["OfflineQueue.Configuration.maximumDelay"]) { time in
            try await deliver { $0.maximumDelay = time }
        },
        .time(["OfflineQueue.Configuration.maximumAskedDelay"]) { time in
            try await deliver { $0.maximumAskedDelay = time }
        },
        .time(["OfflineQueue.stop(within)"]) { time in try await deliver(within: time) { _ in } },
        .count(["WriteContext.enqueue(maximumBodySize)"]) { number in
            let dal = try await DataAccessLayer.open(.inMemory, entities: DataRequestEntities.all)
            try await dal.write { context -> Void in
                try context.enqueue(
                    DataRequest(.post, "songs").body(
                        .data(Data([1, 2, 3]), contentType: "text/plain")),
                    key: "song", maximumBodySize: number)
            }
        },
    ]

    private static func sync(
        _ change: @escaping @Sendable (inout SyncOptions<Song>, Int) -> Void
    ) -> @Sendable (Int) async throws -> Void {
        { number in
            let dal = try await DataAccessLayer.open(
                .inMemory, entities: [Song.self] + DataRequestEntities.all)
            let songs = #"[{"number":1,"title":"Solace"},{"number":2,"title":"Elite"}]"#
            try await RequestNumbers.withService(answers: [.json(songs), .json("[]")]) { service in
                var options = SyncOptions<Song>()
                change(&options, number)
                _ = try await dal.sync(
                    Song.self, from: DataRequest(.get, "songs"), over: service, by: \.number,
                    options: options)
            }
            try await dal.close()
        }
    }

    private static let syncs: [NumberUse] = [
        .count(["SyncOptions.batchSize"], use: sync { $0.batchSize = $1 }),
        .count(["SyncOptions.mappingVersion"], use: sync { $0.mappingVersion = $1 }),
        .count(["SyncOptions.maximumPages"], use: sync { $0.maximumPages = $1 }),
        .count(["SyncPages.offset(limit)"], use: sync { $0.pages = .offset(limit: $1) }),
    ]
}
#endif
