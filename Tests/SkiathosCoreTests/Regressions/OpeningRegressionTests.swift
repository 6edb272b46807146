import Foundation
import Skiathos
import SkiathosTesting
import TestSupport
import Testing

@testable import SkiathosCore

/// What older object stores got wrong about opening and letting go.
@Suite(.generousTimeLimit) struct OpeningRegressionTests {
    /// Once: the file was deleted, or deleting it was tried for ever.
    @Test func `a store that cannot be opened is left as it was and the error says why`()
        async throws
    {
        let store = try TemporaryStore()
        try Data("By no means a database.".utf8).write(to: URL(fileURLWithPath: store.path))
        let before = try store.contents()["test.sqlite"]
        for _ in 0..<2 {
            let error = await #expect(throws: StoreError.self) { try await store.open() }
            #expect(error?.code == .notADatabase)
            #expect(error?.message.contains(store.path) == true)
        }
        #expect(try store.contents()["test.sqlite"] == before)
    }

    /// Once: writing was possible before the set-up had ended, and its failure went nowhere.
    @Test func `opening gives a store that is ready or throws`() async throws {
        let store = try TemporaryStore()
        let openings = await withTaskGroup(of: Result<DataAccessLayer, any Error>.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    do {
                        let dal = try await store.open()
                        try await dal.write { try User.create(in: $0) }
                        return .success(dal)
                    } catch {
                        return .failure(error)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let opened = openings.compactMap { try? $0.get() }
        #expect(opened.count == 1)
        for case .failure(let error) in openings {
            #expect((error as? StoreError)?.code == .storeInUse)
        }
        for dal in opened { try await dal.close() }
        #expect(try await store.storedUsers() == 1)
    }

    /// Once: the stack and what watched over it held each other for ever.
    @Test(.generousTimeLimit, arguments: [true, false])
    func `a released store frees its memory and its files, closed or not`(
        isClosed: Bool
    ) async throws {
        let store = try TemporaryStore()
        weak var coordinator: AccessCoordinator?
        weak var rootWriter: RootWriter?
        weak var commits: GroupCommit?
        weak var connection: (any StoreWriter)?
        do {
            let dal = try await store.open()
            coordinator = dal.coordinator
            rootWriter = dal.coordinator.rootWriter
            commits = dal.coordinator.rootWriter.commits
            connection = dal.coordinator.store.writer
            try await dal.write { try User.create(in: $0) }
            dal.enqueue { try User.create(in: $0) { $0.age = 1 } }
            try await dal.flush()
            let count: Int = try await dal.read { try User.count(in: $0) }
            #expect(count == 2)
            #expect(Self.openFiles(of: store).isEmpty == false)
            if isClosed { try await dal.close() }
        }
        // A queue's thread may still be releasing the write that it ran, and the store with it.
        while coordinator != nil || rootWriter != nil || commits != nil || connection != nil
            || !Self.openFiles(of: store).isEmpty
        { await Task.yield() }
        #expect(try store.contents().keys.sorted() == ["test.sqlite", "test.sqlite.lock"])
        #expect(try await store.storedUsers() == 2)
    }

    /// The files of a store that this process holds open.
    private static func openFiles(of store: TemporaryStore) -> [String] {
        let manager = FileManager.default
        let descriptors = (try? manager.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return descriptors.compactMap {
            try? manager.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
        }.filter { $0.hasPrefix(store.directory.path) }
    }
}
