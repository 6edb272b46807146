import Foundation
import ReliabilityKit
import Skiathos
import SkiathosLocks
import SkiathosTesting
import Synchronization
import TestSupport
import Testing

@Suite struct RestoreTests {
    /// A backup of three users, of whom two work for a company.
    private func withBackup(
        _ place: Place, _ body: @Sendable (DataAccessLayer, TemporaryStore) async throws -> Void
    ) async throws {
        let copy = try TemporaryStore()
        try await withStore(place) { dal in
            try await dal.write { context in
                let company = try Company.create(in: context) { $0.name = "Engines" }
                for (name, isEmployed) in [("Ada", true), ("Charles", true), ("Mary", false)] {
                    try User.create(in: context) {
                        $0.firstname = name
                        $0.company = isEmployed ? company.id : nil
                    }
                }
                try Country.create(id: "GR", in: context) { $0.name = "Greece" }
            }
            try await dal.backUp(to: copy.path)
            try await dal.write { context in
                try User.deleteAll(where: { $0.firstname == "Ada" }, in: context)
                try Company.deleteAll(in: context)
                try User.create(in: context) { $0.firstname = "Grace" }
                try Country.update(set: { [$0.name.set(to: "Hellas")] }, in: context)
            }
            try await body(dal, copy)
        }
    }

    private static func names(_ dal: DataAccessLayer) async throws -> [String] {
        try await dal.read { context in
            try User.all(orderedBy: { [$0.id.ascending] }, in: context).map(\.firstname)
        }
    }

    private let before = ["Charles", "Mary", "Grace"]
    private let restored = ["Ada", "Charles", "Mary"]

    @Test(arguments: Place.allCases)
    func `a restored store holds what the backup holds, and works`(_ place: Place) async throws {
        try await withBackup(place) { dal, copy in
            try await dal.restore(from: copy.path)
            let names = try await Self.names(dal)
            #expect(names == restored)
            let (employees, country): (Int, String?) = try await dal.read { context in
                let company = try Company.first(in: context)
                return (
                    try User.count(where: { $0.company == company?.id }, in: context),
                    try Country.find("GR", in: context)?.name
                )
            }
            #expect(employees == 2)
            #expect(country == "Greece")
            // The check for interference finds none.
            try await dal.write(acknowledging: .durable) { try User.create(in: $0) }
            try await dal.flush()
            try await dal.restore(from: copy.path)
        }
    }

    @Test func `a restored store holds its rows when it is opened again`() async throws {
        let store = try TemporaryStore()
        let copy = try TemporaryStore()
        var dal = try await store.open()
        try await BackupTests.fill(dal)
        try await dal.backUp(to: copy.path)
        try await dal.reset()
        try await dal.restore(from: copy.path)
        try await dal.close()
        dal = try await store.open()
        let count: Int = try await dal.read { try User.count(in: $0) }
        #expect(count == 3000)
        let problems = try await dal.integrityProblems()
        #expect(problems == [])
        try await dal.close()
    }

    @Test(arguments: Place.allCases)
    func `IDs that were handed out before or are known to the backup stay taken`(
        _ place: Place
    ) async throws {
        try await withBackup(place) { dal, copy in
            try await dal.restore(from: copy.path)
            // Ada, Charles and Mary have 1 to 3, and Grace had 4.
            let id: User.ID = try await dal.write { try User.create(in: $0).id }
            #expect(id > 4)
        }
        let copy = try TemporaryStore()
        try await withStore(place) { dal in
            try await dal.write { try User.create(id: 5000, in: $0) }
            try await dal.backUp(to: copy.path)
        }
        try await withStore(place) { dal in
            try await dal.restore(from: copy.path)
            let id: User.ID = try await dal.write { try User.create(in: $0) { $0.age = 1 }.id }
            #expect(id > 5000)
        }
    }

    @Test func `reads see the old version during a restore, on every connection`()
        async throws
    {
        try await withBackup(.file) { dal, copy in
            let begun = Event()
            let goOn = Door()
            let task = Task {
                try await dal.restore(from: copy.path) { _ in
                    begun.happen()
                    goOn.pass()
                }
            }
            await begun.wait()
            for _ in 0..<4 {
                let names = try await Self.names(dal)
                #expect(names == before)
            }
            goOn.open()
            try await task.value
            for _ in 0..<4 {
                let names = try await Self.names(dal)
                #expect(names == restored)
            }
        }
    }

    @Test func `a restore waits for the permit like a write`() async throws {
        try await withBackup(.file) { dal, copy in
            for number in 0..<10 {
                dal.enqueue { try User.create(in: $0) { $0.age = number } }
            }
            try await dal.restore(from: copy.path)
            let names = try await Self.names(dal)
            #expect(names == restored)
        }
    }

    @Test(arguments: Place.allCases)
    func `a restore whose progress throws changes nothing`(_ place: Place) async throws {
        struct Enough: Error {}
        try await withBackup(place) { dal, copy in
            await #expect(throws: Enough.self) {
                try await dal.restore(from: copy.path) { if $0.fraction == 1 { throw Enough() } }
            }
            let names = try await Self.names(dal)
            #expect(names == before)
            let id: User.ID = try await dal.write { try User.create(in: $0).id }
            #expect(id == 5)
        }
    }

    @Test func `cancelling the task ends the restore, and nothing is changed`() async throws {
        try await withBackup(.file) { dal, copy in
            let begun = Event()
            let goOn = Door()
            let task = Task {
                try await dal.restore(from: copy.path) { _ in
                    begun.happen()
                    goOn.pass()
                }
            }
            await begun.wait()
            task.cancel()
            goOn.open()
            await #expect(throws: CancellationError.self) { try await task.value }
            let names = try await Self.names(dal)
            #expect(names == before)
        }
    }

    /// What a killed process leaves is what lies in the files.
    @Test func `the files hold the old rows until the restore is committed`() async throws {
        let store = try TemporaryStore()
        let copy = try TemporaryStore()
        let dal = try await store.open()
        try await BackupTests.fill(dal)
        try await dal.backUp(to: copy.path)
        try await dal.write { context in
            try User.deleteAll(in: context)
            try User.create(in: context)
        }
        let seen = Lock<[String]>([])
        try await dal.restore(from: copy.path) { report in
            let left = copy.directory.file("\(report.completed)")
            // By another process: closing a file here would drop SQLite's locks.
            // A directory that is there already is that of an earlier report.
            _ = try SpawnedProcess([
                "/bin/sh", "-c",
                #"mkdir "$2" && cp "$1"/test.sqlite "$1"/test.sqlite-wal "$2""#, "sh",
                store.directory.path, left,
            ]).wait()
            seen.withLock { $0.append(left) }
        }
        try await dal.close()
        let left = seen.withLock { Array(Set($0)) }
        #expect(left.count == 4)
        for directory in left {
            let dal = try await DataAccessLayer.fixture(at: directory + "/test.sqlite")
            let count: Int = try await dal.read { try User.count(in: $0) }
            #expect(count == 1)
            let problems = try await dal.integrityProblems()
            #expect(problems == [])
            try await dal.close()
        }
        let users = try await store.storedUsers()
        #expect(users == 3000)
    }

    @Test(arguments: Place.allCases)
    func `a file that is no sound backup of these entities is refused, and nothing is changed`(
        _ place: Place
    ) async throws {
        try await withBackup(place) { dal, copy in
            let bytes = try Data(contentsOf: URL(fileURLWithPath: copy.path))
            func refused(
                _ code: StoreError.Code, _ data: Data?,
                sourceLocation: SourceLocation = #_sourceLocation
            ) async throws {
                let path = copy.directory.file("bad")
                try? FileManager.default.removeItem(atPath: path)
                if let data { try data.write(to: URL(fileURLWithPath: path)) }
                let error = try await #require(
                    throws: StoreError.self, sourceLocation: sourceLocation
                ) { try await dal.restore(from: path) }
                #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
                let after = try data.map { _ in try Data(contentsOf: URL(fileURLWithPath: path)) }
                #expect(after == data, sourceLocation: sourceLocation)
            }
            try await refused(.invalidPath, nil)
            try await refused(.notADatabase, Data("no database at all, but some text".utf8))
            try await refused(.notADatabase, Data())
            // The application ID and the user version of the header (sqlite.org/fileformat2.html).
            var foreign = bytes
            foreign[68] = 1
            try await refused(.foreignDatabase, foreign)
            var newer = bytes
            newer[60] = 1
            try await refused(.newerStore, newer)
            var damaged = bytes
            for index in stride(from: 4096, to: bytes.count, by: 512) { damaged[index] ^= 0xFF }
            try await refused(.damaged, damaged)

            let other = try await DataAccessLayer.open(
                .sqlite(copy.directory.file("other")), entities: Company.self)
            try await other.close()
            let mismatch = try await #require(throws: StoreError.self) {
                try await dal.restore(from: copy.directory.file("other"))
            }
            #expect(mismatch.code == .schemaMismatch)
            let names = try await Self.names(dal)
            #expect(names == before)
        }
    }

    @Test func `a restore from the store itself is refused`() async throws {
        let store = try TemporaryStore()
        let dal = try await store.open()
        try FileManager.default.linkItem(atPath: store.path, toPath: store.directory.file("hard"))
        for name in ["test.sqlite", "hard"] {
            let error = try await #require(throws: StoreError.self) {
                try await dal.restore(from: store.directory.file(name))
            }
            #expect(error.code == .invalidPath)
        }
        try await dal.close()
    }

    @Test func `restoring inside a closure, or using the store in its progress, is refused`()
        async throws
    {
        try await withBackup(.file) { dal, copy in
            let nested = try await #require(throws: DataAccessError.self) {
                try await dal.read { _ in try dal.restore(from: copy.path) }
            }
            #expect(nested.code == .nestedAccess)
            let inside = try await #require(throws: DataAccessError.self) {
                try await dal.restore(from: copy.path) { _ in try dal.write { _ in } }
            }
            #expect(inside.code == .nestedAccess)
            try await onThread { try dal.restore(from: copy.path) }
            let names = try await Self.names(dal)
            #expect(names == restored)
        }
    }
}
