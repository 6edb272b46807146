#if Macros && Requests && Lifecycle && Hummingbird
import Foundation
import PersistenceService
import PersistenceServiceTesting
import Skiathos

@Entity struct Parcel {
    @Searchable var name = "parcel"
    @Indexed var weight = 1
    var sent = Date(timeIntervalSince1970: 0)
    var fee: Int?
}

/// Uses of the numbers that the store and the persistence service take.
enum StoreNumbers {
    static let uses = configurations + queries + walks + windows + waits + services

    /// Runs with a store that has some rows.
    private static func withParcels(
        _ change: (inout Configuration) -> Void = { _ in },
        _ body: (DataAccessLayer) async throws -> Void
    ) async throws {
        var configuration = Configuration()
        change(&configuration)
        let dal = try await DataAccessLayer.open(
            .inMemory, entities: Parcel.self, configuration: configuration)
        try await dal.write { context -> Void in
            for weight in 0..<9 { try Parcel.create(in: context) { $0.weight = weight } }
        }
        try await body(dal)
        try await dal.close()
    }

    private static func configured(
        _ name: String, _ field: any WritableKeyPath<Configuration, Int> & Sendable
    ) -> NumberUse {
        .count(["Configuration.\(name)"]) { number in
            try await withParcels({ $0[keyPath: field] = number }) { try await $0.flush() }
        }
    }

    private static let configurations = [
        configured("cacheSize", \.cacheSize), configured("checkpointSize", \.checkpointSize),
        configured("maximumBatchSize", \.maximumBatchSize),
        configured("maximumWaitingWrites", \.maximumWaitingWrites),
        configured("readerCount", \.readerCount), configured("rowCacheSize", \.rowCacheSize),
        configured("walSizeLimit", \.walSizeLimit),
        .time(["Configuration.commitInterval"]) { time in
            try await withParcels({ $0.commitInterval = time }) { try await $0.flush() }
        },
        .time(["Configuration.commitWatchInterval"]) { time in
            try await withParcels({ $0.commitWatchInterval = time }) { _ = $0.health }
        },
        .time(["Configuration.shutdownDeadline"]) { time in
            try await withParcels({ $0.shutdownDeadline = time }) { await $0.shutDown() }
        },
    ]

    private static func reading(
        _ names: String..., read: @escaping @Sendable (ReadContext, Int) throws -> Void
    ) -> NumberUse {
        .count(names) { number in
            try await withParcels { dal in try await dal.read { try read($0, number) } }
        }
    }

    private static let queries: [NumberUse] = [
        reading("Query.limit(_)", "Query.offset(_)") { context, number in
            let query = Parcel.query.limit(number).offset(number)
            _ = try query.all(in: context)
            _ = try query.count(in: context)
            _ = try query.limit(3).first(in: context)
            _ = try query.max(of: { $0.weight }, in: context)
            _ = try query.page(size: 2, in: context)
            _ = try query.union(Parcel.query.limit(number)).ids(in: context)
            _ = try Parcel.where { $0.id.in(query.select { $0.id }) }.count(in: context)
        },
        reading("Entity.all(limit)", "Entity.all(offset)") { context, number in
            _ = try Parcel.all(limit: number, offset: number, in: context)
            _ = try Parcel.all(
                matching: #Predicate { $0.weight > 0 }, limit: number, offset: number, in: context)
        },
        reading("Entity.ids(limit)", "Entity.ids(offset)") { context, number in
            _ = try Parcel.ids(limit: number, offset: number, in: context)
        },
        reading("Entity.search(limit)", "Query.search(limit)") { context, number in
            _ = try Parcel.search("parcel", limit: number, in: context)
            _ = try Parcel.query.limit(number).search("parcel", limit: number, in: context)
        },
        reading("Grouping.limit(_)", "Grouping.offset(_)") { context, number in
            _ = try Parcel.grouped { $0.weight }.limit(number).offset(number)
                .select { $0.id.count }.all(in: context)
        },
        reading("Selection.limit(_)", "Selection.offset(_)") { context, number in
            _ = try Parcel.select { $0.weight }.limit(number).offset(number).all(in: context)
        },
        reading("SelectionUnion.limit(_)", "SelectionUnion.offset(_)") { context, number in
            let weights = Parcel.select { $0.weight }
            _ = try weights.unionAll(weights).limit(number).offset(number).all(in: context)
        },
        reading("Query.page(size)") { context, number in
            let first = try Parcel.query.page(size: number, in: context)
            _ = try Parcel.query.page(size: number, after: first.next, in: context)
            _ = try Parcel.query.page(size: number, before: nil, in: context)
        },
    ]

    private static let walks: [NumberUse] = [
        .count(["Query.each(batchSize)", "Entity.each(batchSize)"]) { number in
            try await withParcels { dal in
                try await dal.read { try Parcel.each(batchSize: number, in: $0) { _ in } }
                try await dal.read { try Parcel.query.each(batchSize: number, in: $0) { _ in } }
                try await dal.write { context -> Void in
                    try Parcel.each(batchSize: number, in: context) { $0.weight += 1 }
                }
            }
        },
        .count(["QueryBudget.statements", "QueryBudget.rows", "QueryBudget.fullScans"]) { number in
            try await withParcels { dal in
                let budget = QueryBudget(statements: number, rows: number, fullScans: number)
                try await dal.read(budget: budget) { _ = try Parcel.all(in: $0) }
            }
        },
        .count(["DataAccessLayer.changes(buffering)"]) { number in
            try await withParcels { dal in
                var changes = dal.changes(of: Parcel.self, buffering: number).makeAsyncIterator()
                try await dal.write { context -> Void in try Parcel.create(in: context) }
                _ = try await changes.next()
            }
        },
    ]

    private static let windows: [NumberUse] = [
        reading("QueryOperand.next(_)", "QueryOperand.previous(_)") { context, number in
            _ = try Parcel.select {
                (
                    $0.weight.next(number, by: $0.id.ascending),
                    $0.fee.next(number, by: $0.id.ascending)
                )
            }.all(in: context)
            _ = try Parcel.select {
                (
                    $0.weight.previous(number, by: $0.id.ascending),
                    $0.fee.previous(number, by: $0.id.ascending)
                )
            }.all(in: context)
        },
        .real(["QueryOperand.adding(_)"]) { number in
            try await withParcels { dal in
                try await dal.read { context in
                    _ = try Parcel.select { $0.sent.adding(number) }.all(in: context)
                }
            }
        },
    ]

    private static let waits: [NumberUse] = [
        .time(["DataAccessLayer.shutDown(within)"]) { time in
            try await withParcels { await $0.shutDown(within: time) }
        },
        .time(["DataAccessLayer.observe(atMostEvery)"]) { time in
            try await withParcels { dal in
                var counts = dal.observe(atMostEvery: time) { try Parcel.count(in: $0) }
                    .makeAsyncIterator()
                _ = try await counts.next()
                try await dal.write { context -> Void in try Parcel.create(in: context) }
                // Its end comes at once, whatever the time.
                try await dal.close()
                while try await counts.next() != nil {}
            }
        },
        .time(["StatementLog.threshold", "StatementLog.slowQueries(over)"]) { time in
            let log = StatementLog(threshold: time) { _ in }
            try await withParcels({ $0.statementLog = log }) { _ in }
            // Its statements go to the log of the process, so none is slow enough.
            if time > .seconds(60) {
                try await withParcels({ $0.statementLog = .slowQueries(over: time) }) { _ in }
            } else {
                _ = StatementLog.slowQueries(over: time)
            }
        },
    ]

    private static let services: [NumberUse] = [
        .count([
            "FetchParameters.limit", "FetchParameters.offset",
            "PersistenceService.fetch(limit)", "PersistenceService.fetch(offset)",
            "StorePersistenceService.undoLimit",
        ]) { number in
            try await withParcels { dal in
                let service = StorePersistenceService(dal, undoLimit: number)
                _ = try await service.fetch(Parcel.self, limit: number, offset: number)
                let parameters = FetchParameters<Parcel>(limit: number, offset: number)
                _ = try await service.fetch(parameters)
            }
        },
        .count(["FakePersistenceService.failNext(times)"]) { number in
            let fake = FakePersistenceService()
            fake.failNext(.fetch, with: CancellationError(), times: number)
            _ = try await fake.fetch(Parcel.self)
        },
    ]
}
#endif
