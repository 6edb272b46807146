import Foundation
import GRDB
import ReliabilityKit
import Skiathos
import SkiathosStore
import SkiathosTesting
import TestSupport
import Testing

/// What may happen to the files of a store between a kill and the next opening.
@Suite(.seeded, .generousTimeLimit) struct KilledStoreTests {
    @Test func `a store that is killed at any write of a checkpoint opens with every row`()
        async throws
    {
        let life = try Life(step: Load.pictureStep)
        try await life.run(rows: 100)
        #expect(life.pictures.count > 10)
        for picture in life.pictures {
            let problem = await picture.problem()
            #expect(problem == nil, "\(picture)")
        }
    }

    @Test func `a WAL is never mixed with a main file that it does not belong to`() async throws {
        let life = try Life(step: 4 * Load.pictureStep)
        try await life.run(rows: 100)
        var refused = 0
        for picture in life.pictures where picture.walSize > 0 {
            for copy in life.copies {
                let trial = try life.print(picture)
                try trial.overwriteMain(with: copy)
                let problem = await trial.problem(unlessRefused: .mismatchedWAL)
                #expect(problem == nil, "\(picture) over \(copy)")
                if (try? await Self.open(trial)) == nil { refused += 1 }
            }
        }
        #expect(refused > 10)
    }

    /// A message that gives advice is followed.
    @Test func `the advice for a WAL of another main file opens the file that is there`()
        async throws
    {
        let life = try Life(step: 10)
        try await life.run(rows: 30)
        let picture = try #require(life.pictures.last { $0.walSize > 0 })
        let copy = try #require(life.copies.first)
        let trial = try life.print(picture)
        try trial.overwriteMain(with: copy)
        for isReadOnly in [false, true] {
            let error = await #expect(throws: StoreError.self) {
                try await Self.open(trial, isReadOnly: isReadOnly)
            }
            #expect(error?.code == .mismatchedWAL)
            #expect(error?.message.contains("-wal\", ") == true)
        }
        for suffix in ["-wal", "-shm", "-witness"] {
            try FileManager.default.removeItem(atPath: trial.path + suffix)
        }
        try await Self.open(trial)
    }

    private static func open(_ picture: Life.Picture, isReadOnly: Bool = false) async throws {
        var configuration = Skiathos.Configuration()
        configuration.isReadOnly = isReadOnly
        let dal = try await DataAccessLayer.open(
            .sqlite(picture.path), entities: Item.self, configuration: configuration)
        try await dal.close()
    }

    /// What other programs do with a store that was killed, by SQLite's own rules.
    enum Visit: CaseIterable, Sendable {
        case readsAndCloses, readsAndIsKilled, empties, emptiesAndIsKilled, readOnly, checkpoints

        func happen(to picture: Life.Picture, of life: Life) async throws -> Life.Picture {
            if self == .readOnly {
                try await KilledStoreTests.open(picture, isReadOnly: true)
                return picture
            }
            let queue = try DatabaseQueue(path: picture.path)
            try queue.inDatabase { database in
                _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM item")
                switch self {
                case .empties, .emptiesAndIsKilled:
                    _ = try Row.fetchAll(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
                case .checkpoints:
                    _ = try Row.fetchAll(database, sql: "PRAGMA wal_checkpoint(PASSIVE)")
                case .readsAndCloses, .readsAndIsKilled, .readOnly: break
                }
            }
            guard self == .readsAndIsKilled || self == .emptiesAndIsKilled else {
                try queue.close()
                return picture
            }
            let left = try life.print(picture)
            try queue.close()
            return left
        }
    }

    @Test func `a store that other programs have visited after a kill opens with every row`()
        async throws
    {
        var random = SeededNumbers(seed: Seed.current)
        let life = try Life(step: Load.pictureStep)
        try await life.run(rows: 60)
        for picture in life.pictures {
            var trial = try life.print(picture)
            let visits = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                Visit.allCases.randomElement(using: &random) ?? .readOnly
            }
            do {
                for visit in visits { trial = try await visit.happen(to: trial, of: life) }
            } catch {
                Issue.record("\(picture) during \(visits): \(error)")
                continue
            }
            let problem = await trial.problem()
            #expect(problem == nil, "\(picture) after \(visits)")
        }
    }

    @Test func `a WAL that was taken away from a killed store is missed`() async throws {
        let life = try Life(step: 1)
        try await life.run(rows: 10, checkpointSize: 1 << 30)
        // Its last row is durable, and nothing of the WAL was copied.
        let picture = try #require(life.pictures.first { $0.least == 4 && $0.most == 4 })
        for isEmptied in [false, true] {
            for visit in [nil, Visit.readOnly] {
                let trial = try life.print(picture)
                if isEmptied {
                    #expect(truncate(trial.path + "-wal", 0) == 0)
                } else {
                    try FileManager.default.removeItem(atPath: trial.path + "-wal")
                }
                // Without its WAL, the main file may be no database.
                if let visit { _ = try? await visit.happen(to: trial, of: life) }
                let error = await #expect(throws: StoreError.self) {
                    try await Self.open(trial)
                }
                let text = error?.message ?? "none"
                #expect(error?.code == .incompleteWAL, "\(text)")
            }
        }
    }
}
