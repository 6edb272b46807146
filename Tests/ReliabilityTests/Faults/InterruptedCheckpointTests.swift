import Foundation
import ReliabilityKit
import Skiathos
import SkiathosLocks
import SkiathosTesting
import Synchronization
import TestSupport
import Testing

@testable import SkiathosCore

/// Cancelling a write, or a hasty shutdown, interrupts whatever the connection is doing.
@Suite(.generousTimeLimit) struct InterruptedCheckpointTests {
    @Test(arguments: [1, 3, 1000])
    func `a checkpoint that is interrupted is repeated or left to the next, and never a failure`(
        times: Int
    ) async throws {
        let directory = try TemporaryDirectory()
        let volume = try Volume(directory.path)
        let failures = Lock<[String]>([])
        var configuration = Configuration()
        configuration.checkpointSize = 0
        configuration.errorHandler = { failure in failures.withLock { $0.append("\(failure)") } }
        let dal = try await DataAccessLayer.open(
            .sqlite(volume.path), entities: Item.self, configuration: configuration)
        let interrupted = Lock(0)
        volume.hook { [coordinator = dal.coordinator] operation, files in
            guard operation == .write, files == .main,
                interrupted.withLock({
                    $0 += 1
                    return $0 <= times
                })
            else { return }
            // As a cancelled write does.
            coordinator.store.writer.interrupt()
        }
        while interrupted.withLock({ $0 }) <= times {
            try await dal.write { context -> Void in
                for _ in 0..<20 { try Item.create(id: Item.ID(rawValue: Self.text()), in: context) }
            }
        }
        let report = await dal.shutDown(within: .seconds(600))
        #expect(report.isComplete, "\(report)")
        #expect(failures.withLock { $0 } == [])
    }

    private static func text() -> String { UUID().uuidString }

    @Test func `a hasty shutdown does not report the checkpoint that it has interrupted`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let volume = try Volume(directory.path)
        let dal = try await DataAccessLayer.open(.sqlite(volume.path), entities: Item.self)
        for _ in 0..<20 {
            try await dal.write { context -> Void in
                try Item.create(id: Item.ID(rawValue: Self.text()), in: context)
            }
        }
        let isHasty = Lock(false)
        volume.hook { [coordinator = dal.coordinator] operation, files in
            guard operation == .write, files == .main else { return }
            let isFirst = isHasty.withLock { isHasty in
                defer { isHasty = true }
                return !isHasty
            }
            if isFirst { coordinator.store.writer.interrupt() }
        }
        let report = await dal.shutDown(within: .seconds(600))
        #expect(isHasty.withLock { $0 })
        #expect(report.isComplete, "\(report)")
        #expect(report.isDurable)
    }
}
