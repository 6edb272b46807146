import Foundation
import Skiathos
import SkiathosLocks
import SkiathosTesting
import TestSupport
import Testing

@testable import ReliabilityKit

/// What an acknowledgement promises, from one task or thread to another.
@Suite(.generousTimeLimit) struct AcknowledgementTests {
    private static let rounds = 100

    /// Four writers at once, each with a register of its own, and readers after each write.
    @Test(arguments: [true, false])
    func `a merged write that has returned is seen in every task and on every thread`(
        _ isInFile: Bool
    ) async throws {
        let directory = try TemporaryDirectory()
        let source = isInFile ? StoreSource.sqlite(directory.file("test.sqlite")) : .inMemory
        try await withStore(source, entities: Register.self) { dal in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 1...4 {
                    group.addTask { try await Self.writeAndRead(Int64(writer), dal) }
                }
                try await group.waitForAll()
            }
        }
    }

    private static func writeAndRead(_ writer: Int64, _ dal: DataAccessLayer) async throws {
        let id = Register.ID(rawValue: writer)
        try await dal.write { try Register.create(id: id, in: $0) }
        for round in 1...rounds {
            let written: Int = try await dal.write(acknowledging: .merged) { context in
                let register = try Register.find(id, in: context)
                register?.content += 1
                return register?.content ?? 0
            }
            #expect(written == round)
            async let inTask = Task.detached {
                try await dal.read { try Register.find(id, in: $0)?.content }
            }.value
            async let onThread = onThread {
                try dal.read { try Register.find(id, in: $0)?.content }
            }
            async let inWrite = Task.detached { () -> Int? in
                try await dal.write { try Register.find(id, in: $0)?.content }
            }.value
            let seen = [try await inTask, try await onThread, try await inWrite]
            #expect(seen == [round, round, round])
        }
    }

    /// Durable writes of tasks, threads and completions, beside others that do not sync.
    @Test func `a durable write returns after a sync of every commit up to its own`() async throws {
        let directory = try TemporaryDirectory()
        let witness = Witness()
        let source = StoreSource.sqlite(directory.file("test.sqlite")).mapped(witness.watching)
        try await withStore(source, entities: Register.self) { dal in
            try await dal.write { try Register.create(id: Register.counter, in: $0) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<6 {
                    group.addTask {
                        for _ in 0..<20 {
                            let place = try await Self.takePlace(writer, dal)
                            // No durable write is acknowledged before the earlier ones could
                            // be.
                            if writer < 4 { #expect(witness.durable >= place) }
                            #expect(writer == 5 || witness.committed >= place)
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(witness.durable > 0)
    }

    private static func takePlace(_ writer: Int, _ dal: DataAccessLayer) async throws -> Int {
        let body: @Sendable (WriteContext) throws -> Int = { context in
            let counter = try Register.find(Register.counter, in: context)
            counter?.content += 1
            return counter?.content ?? 0
        }
        switch writer {
        case 0, 1: return try await dal.write(acknowledging: .durable, body)
        case 2: return try await onThread { try dal.write(acknowledging: .durable, body) }
        case 3:
            return try await withThrowingContinuation { continuation in
                dal.write(acknowledging: .durable, body) { continuation.resume(with: $0) }
            }
        case 4: return try await dal.write(acknowledging: .committed, body)
        default: return try await dal.write(acknowledging: .merged, body)
        }
    }
}
