import Foundation
import Skiathos
import SkiathosLocks
import SkiathosTesting
import Synchronization
import TestSupport
import Testing

@Suite struct BackupTests {
    /// Adds users until the file has some mebibytes.
    static func fill(_ dal: DataAccessLayer, count: Int = 3000) async throws {
        try await dal.write(acknowledging: .merged) { context in
            for number in 0..<count {
                try User.create(in: context) {
                    $0.firstname = String(repeating: "A", count: 1000)
                    $0.age = number
                }
            }
        }
    }

    private func error(
        _ code: StoreError.Code, sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () async throws -> Void
    ) async throws {
        let error = try await #require(throws: StoreError.self, sourceLocation: sourceLocation) {
            try await body()
        }
        #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
    }

    @Test(arguments: Place.allCases)
    func `a backup is a sound store with all that had returned, and needs no WAL`(
        _ place: Place
    ) async throws {
        let copy = try TemporaryStore()
        try await withStore(place) { dal in
            try await Self.fill(dal)
            try await dal.backUp(to: copy.path)
            // Later writes make no difference.
            try await dal.write { try User.deleteAll(in: $0) }
        }
        let contents = try copy.contents()
        #expect(Array(contents.keys) == ["test.sqlite"])
        // The file format versions of a file without a WAL.
        #expect(contents["test.sqlite"]?[18..<20] == Data([1, 1]))
        let dal = try await copy.open()
        let count: Int = try await dal.read { try User.count(in: $0) }
        #expect(count == 3000)
        let problems = try await dal.integrityProblems()
        #expect(problems == [])
        try await dal.write { try User.create(in: $0) }
        try await dal.close()
    }

    @Test(arguments: Place.allCases)
    func `the progress of a backup grows in bytes and ends with everything`(
        _ place: Place
    ) async throws {
        let copy = try TemporaryStore()
        try await withStore(place) { dal in
            try await Self.fill(dal)
            let reports = Lock<[StoreProgress]>([])
            try await dal.backUp(to: copy.path) { report in reports.withLock { $0.append(report) } }
            let seen = reports.withLock { $0 }
            #expect(seen.count > 2)
            #expect(seen.map(\.completed) == seen.map(\.completed).sorted())
            #expect(seen.last?.fraction == 1)
            let size = try copy.contents()["test.sqlite"]?.count
            #expect(seen.last?.total == size)
        }
    }

    @Test(arguments: Place.allCases)
    func `reads and writes run between the steps of a backup, and the copy holds one version`(
        _ place: Place
    ) async throws {
        let copy = try TemporaryStore()
        try await withStore(place) { dal in
            try await Self.fill(dal)
            let writes = Atomic(0)
            try await dal.backUp(to: copy.path) { _ in
                try dal.write { context in
                    let user = try User.create(in: context)
                    user.age = Int(user.id.rawValue)
                    try User.update(set: { [$0.score.set(to: 1)] }, in: context)
                }
                let count: Int = try dal.read { try User.count(in: $0) }
                #expect(count > 3000)
                writes.add(1, ordering: .relaxed)
            }
            #expect(writes.load(ordering: .relaxed) > 2)
        }
        let dal = try await copy.open()
        let counts: [Int] = try await dal.read {
            [try User.count(in: $0), try User.count(where: { $0.score == 1 }, in: $0)]
        }
        #expect(counts == [3000, 0])
        try await dal.close()
    }

    @Test func `a backup keeps a file that exists, unless overwriting is asked for`() async throws {
        let copy = try TemporaryStore()
        try await withStore { dal in
            try await Self.fill(dal, count: 1)
            try Data("precious".utf8).write(to: URL(fileURLWithPath: copy.path))
            try await error(.fileExists) { try await dal.backUp(to: copy.path) }
            #expect(try copy.contents() == ["test.sqlite": Data("precious".utf8)])
            try await dal.backUp(to: copy.path, overwriting: true)
            try await dal.backUp(to: copy.path, overwriting: true)
        }
        let users = try await copy.storedUsers()
        #expect(users == 1)
    }

    @Test func `the store's own files are refused, by whatever name`() async throws {
        let store = try TemporaryStore()
        let dal = try await store.open()
        try await Self.fill(dal, count: 1)
        try FileManager.default.linkItem(atPath: store.path, toPath: store.directory.file("hard"))
        try FileManager.default.createSymbolicLink(
            atPath: store.directory.file("soft"), withDestinationPath: store.path)
        for name in [
            "test.sqlite", "test.sqlite-wal", "test.sqlite-shm", "test.sqlite.lock", "hard", "soft",
        ] {
            try await error(.invalidPath) {
                try await dal.backUp(to: store.directory.file(name), overwriting: true)
            }
        }
        try await dal.close()
        // A file with two names is refused.
        try FileManager.default.removeItem(atPath: store.directory.file("hard"))
        let users = try await store.storedUsers()
        #expect(users == 1)
    }

    @Test func `a backup does not replace a store that is open elsewhere`() async throws {
        let other = try TemporaryStore()
        let open = try await other.open()
        try await withStore { dal in
            try await Self.fill(dal, count: 1)
            try await error(.storeInUse) { try await dal.backUp(to: other.path, overwriting: true) }
        }
        try await open.write(acknowledging: .durable) { try User.create(in: $0) }
        try await open.close()
        // Now it is closed.
        try await withStore { dal in try await dal.backUp(to: other.path, overwriting: true) }
        let users = try await other.storedUsers()
        #expect(users == 0)
    }

    @Test func `a WAL at the path of a backup does not become part of it`() async throws {
        let copy = try TemporaryStore()
        try await withStore { dal in
            let beginning = Data([0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7])
            try beginning.write(to: URL(fileURLWithPath: copy.path + "-journal"))
            try await error(.storeInUse) { try await dal.backUp(to: copy.path) }
            #expect(Array(try copy.contents().keys) == ["test.sqlite-journal"])
        }
    }

    @Test(arguments: Place.allCases)
    func `a backup whose progress throws leaves nothing behind`(_ place: Place) async throws {
        struct Enough: Error {}
        let copy = try TemporaryStore()
        try await withStore(place) { dal in
            try await Self.fill(dal)
            await #expect(throws: Enough.self) {
                try await dal.backUp(to: copy.path) { if $0.fraction > 0.3 { throw Enough() } }
            }
            #expect(try copy.contents().isEmpty)
            try Data("precious".utf8).write(to: URL(fileURLWithPath: copy.path))
            await #expect(throws: Enough.self) {
                try await dal.backUp(to: copy.path, overwriting: true) { _ in throw Enough() }
            }
            #expect(try copy.contents() == ["test.sqlite": Data("precious".utf8)])
            try await dal.write { try User.create(in: $0) }
        }
    }

    @Test func `cancelling the task ends the backup`() async throws {
        let copy = try TemporaryStore()
        try await withStore { dal in
            try await Self.fill(dal)
            let begun = Event()
            let goOn = Door()
            let task = Task {
                try await dal.backUp(to: copy.path) { _ in
                    begun.happen()
                    goOn.pass()
                }
            }
            await begun.wait()
            task.cancel()
            goOn.open()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(try copy.contents().isEmpty)
        }
    }

    @Test(arguments: Place.allCases)
    func `closing waits for a backup, and a shutdown with a short deadline ends it`(
        _ place: Place
    ) async throws {
        let copy = try TemporaryStore()
        for isHurried in [false, true] {
            let store = try TemporaryStore()
            let dal = try await store.open(in: place)
            try await Self.fill(dal)
            let begun = Event()
            let goOn = Door()
            let path = copy.directory.file("\(isHurried)")
            let backup = Task {
                try await dal.backUp(to: path) { _ in
                    begun.happen()
                    goOn.pass()
                }
            }
            await begun.wait()
            let closing = Task {
                isHurried
                    ? await dal.shutDown(within: .zero) : await dal.shutDown(within: .seconds(600))
            }
            if isHurried {
                _ = await closing.value
                goOn.open()
                let error = try await #require(throws: DataAccessError.self) {
                    try await backup.value
                }
                #expect(error.code == .closed)
                try await dal.close()
            } else {
                goOn.open()
                try await backup.value
                let report = await closing.value
                #expect(report.isComplete)
            }
            #expect(FileManager.default.fileExists(atPath: path) == !isHurried)
        }
    }

    @Test func `a backup inside a closure, or of a closed store, is refused`() async throws {
        let copy = try TemporaryStore()
        try await withStore { dal in
            let error = try await #require(throws: DataAccessError.self) {
                try await dal.write { _ in try dal.backUp(to: copy.path) }
            }
            #expect(error.code == .nestedAccess)
            try await dal.close()
            let closed = try await #require(throws: DataAccessError.self) {
                try await dal.backUp(to: copy.path)
            }
            #expect(closed.code == .closed)
        }
        #expect(try copy.contents().isEmpty)
    }

    @Test func `the blocking form and a store that is only read make backups too`() async throws {
        let store = try TemporaryStore()
        let dal = try await store.open()
        try await Self.fill(dal, count: 1)
        let copy = try TemporaryStore()
        try await onThread { try dal.backUp(to: copy.path) }
        var configuration = Configuration()
        configuration.isReadOnly = true
        let reader = try await store.open(configuration)
        try await reader.backUp(to: copy.path, overwriting: true)
        try await reader.close()
        try await dal.close()
        let users = try await copy.storedUsers()
        #expect(users == 1)
    }
}
