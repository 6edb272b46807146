import Foundation
import GRDB
import SkiathosSQLite
import SkiathosStore
import Testing

@testable import SkiathosSQLite

@Suite struct OpeningTests {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func refuse(
        _ code: StoreError.Code, _ path: String? = nil, _ options: StoreOptions = StoreOptions(),
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> StoreError {
        try storeError(code, sourceLocation: sourceLocation) {
            _ = try StoreSource.sqlite(path ?? directory.file())
                .open(try TestEntities.schema(), options)
        }
    }

    @Test func `a store keeps its rows and marks its file`() throws {
        var store = try directory.open()
        try store.insert(User.self, user(1))
        try store.close()
        store = try directory.open()
        #expect(try store.all(User.self) == [user(1)])
        try store.close()
        let header = try directory.bytes()
        #expect(header[68..<72].elementsEqual("Skia".utf8))
        // The version of the layout; the two bytes before it are a mark.
        #expect(header[63] == 2)
        #expect(!FileManager.default.fileExists(atPath: directory.file() + "-wal"))
        #expect(FileManager.default.fileExists(atPath: directory.file() + ".lock"))
    }

    @Test func `a loop of symbolic links is no path of a store`() throws {
        for (link, target) in [("a", "b"), ("b", "a"), ("self", "self")] {
            try FileManager.default.createSymbolicLink(
                atPath: directory.file(link), withDestinationPath: directory.file(target))
        }
        for path in ["a", "b", "self", "self/store.sqlite"] {
            let error = try refuse(.invalidPath, directory.file(path))
            #expect(error.message.contains("leads to a file"))
        }
    }

    @Test func `no lock file is left beside a file that is refused`() throws {
        let queue = try DatabaseQueue(path: directory.file())
        try queue.write { try $0.execute(sql: "CREATE TABLE other (a)") }
        try queue.close()
        for _ in 1...2 {
            _ = try refuse(.foreignDatabase)
            let files = try FileManager.default.contentsOfDirectory(atPath: directory.path)
            #expect(files == ["store.sqlite"])
        }
        // The lock file of a store that was opened before stays, since other processes may lock it.
        try FileManager.default.removeItem(atPath: directory.file())
        try directory.open().close()
        try FileManager.default.removeItem(atPath: directory.file())
        try directory.write(Data("no database, but a text of some length".utf8))
        _ = try refuse(.notADatabase)
        #expect(FileManager.default.fileExists(atPath: directory.file() + ".lock"))
    }

    @Test func `a file of no bytes counts as new`() throws {
        try directory.write(Data())
        let store = try directory.open()
        #expect(try store.ids(User.self) == [])
        try store.close()
    }

    @Test func `a path that cannot be used is refused with a reason`() throws {
        #expect(try refuse(.invalidPath, "").message.contains("empty"))
        #expect(try refuse(.invalidPath, "file:" + directory.file()).message.contains("file:"))
        #expect(try refuse(.invalidPath, "FILE:x").message.contains("address"))
        #expect(try refuse(.invalidPath, "a\0b").message.contains("NUL"))
        #expect(try refuse(.invalidPath, ":memory:").message.contains(".inMemory"))
        let missing = directory.path + "/missing/store.sqlite"
        #expect(try refuse(.invalidPath, missing).message.contains("/missing"))
        #expect(try refuse(.invalidPath, directory.path).message.contains("a directory"))
        #expect(try refuse(.invalidPath, directory.path + "/").message.contains("a directory"))
        #expect(try refuse(.invalidPath, directory.path + "/missing/").code == .invalidPath)
        #expect(try refuse(.invalidPath, "/dev/null").message.contains("not a regular file"))
        let long = directory.file(String(repeating: "x", count: 250))
        let longer = long + "/" + String(repeating: "y", count: 250)
        #expect(try refuse(.invalidPath, longer).message.isEmpty == false)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
    }

    @Test func `a file that is not a database is refused and left as it was`() throws {
        let bytes = Data("This is a letter, and by no means a database.\n".utf8) + Data(count: 5000)
        try directory.write(bytes)
        #expect(try refuse(.notADatabase).backendCode == 26)
        #expect(try refuse(.notADatabase, nil, StoreOptions(isReadOnly: true)).backendCode == 26)
        #expect(try directory.bytes() == bytes)
    }

    @Test func `a damaged file is refused and left as it was`() throws {
        try directory.open().close()
        var bytes = try directory.bytes()
        bytes.replaceSubrange(100..<4096, with: Data(repeating: 0xEE, count: 3996))
        try directory.write(bytes)
        _ = try refuse(.damaged)
        #expect(try directory.bytes() == bytes)
    }

    @Test func `a database of another program is refused and left as it was`() throws {
        let path = directory.file()
        do {
            let queue = try DatabaseQueue(path: path)
            try queue.write {
                try $0.execute(sql: "CREATE TABLE t (a); PRAGMA application_id = 77")
            }
            try queue.close()
        }
        let bytes = try directory.bytes()
        #expect(try refuse(.foreignDatabase).message.contains("77"))
        #expect(try directory.bytes() == bytes)
        try FileManager.default.removeItem(atPath: path)
        do {
            let queue = try DatabaseQueue(path: path)
            try queue.write { try $0.execute(sql: "CREATE TABLE t (a)") }
            try queue.close()
        }
        _ = try refuse(.foreignDatabase)
    }

    @Test func `a refused file with a WAL keeps both as they were`() throws {
        var configuration = Configuration()
        configuration.journalMode = .wal
        let original = directory.file("original.sqlite")
        let queue = try DatabaseQueue(path: original, configuration: configuration)
        try queue.write { try $0.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1)") }
        // A copy of the files of a running program is what a crash leaves.
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: original + suffix, toPath: directory.file() + suffix)
        }
        let main = try directory.bytes()
        let log = try directory.bytes("store.sqlite-wal")
        #expect(log.count > 0)
        _ = try refuse(.foreignDatabase)
        #expect(try directory.bytes() == main)
        #expect(try directory.bytes("store.sqlite-wal") == log)
        try queue.close()
    }

    @Test func `a store of a newer layout is refused and left as it was`() throws {
        try directory.open().close()
        do {
            let queue = try DatabaseQueue(path: directory.file())
            try queue.write { try $0.execute(sql: "PRAGMA user_version = 3") }
            try queue.close()
        }
        let bytes = try directory.bytes()
        #expect(try refuse(.newerStore).message.contains("layout version 3"))
        #expect(try directory.bytes() == bytes)
    }

    @Test func `a WAL whose main file is gone is not removed`() throws {
        try directory.write(Data(repeating: 1, count: 100), "store.sqlite-wal")
        #expect(try refuse(.damaged).message.contains("-wal"))
        #expect(try directory.bytes("store.sqlite-wal").count == 100)
        #expect(!FileManager.default.fileExists(atPath: directory.file()))
    }

    @Test func `opening recovers what a killed process left in the WAL`() throws {
        let store = try directory.open()
        try store.insert(User.self, user(1))
        let copy = try TemporaryDirectory()
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: directory.file() + suffix, toPath: copy.file() + suffix)
        }
        let revived = try copy.open()
        #expect(try revived.ids(User.self) == [1])
        try revived.close()
        try store.close()
    }

    @Test func `permissions are reported with what they forbid`() throws {
        // They do not bind the superuser.
        guard getuid() != 0 else { return }
        try directory.open().close()
        let manager = FileManager.default
        try manager.setAttributes([.posixPermissions: 0o400], ofItemAtPath: directory.file())
        #expect(try refuse(.notPermitted).message.contains("write"))
        try manager.setAttributes([.posixPermissions: 0o600], ofItemAtPath: directory.file())
        try manager.setAttributes([.posixPermissions: 0o500], ofItemAtPath: directory.path)
        defer {
            try? manager.setAttributes([.posixPermissions: 0o700], ofItemAtPath: directory.path)
        }
        #expect(try refuse(.notPermitted).message.contains(directory.path))
    }

    @Test func `an old library is refused`() throws {
        let error = try storeError(.unsupportedBackend) { try BackendVersion.check(3_036_009) }
        #expect(error.message.contains("3.36.9"))
        try BackendVersion.check(BackendVersion.lowest)
    }

    @Test func `options reach the connections`() throws {
        let store = try directory.open(
            TestEntities.all, StoreOptions(readerCount: 3, cacheSize: 1 << 20))
        #expect(store.readers.count == 3)
        #expect(!store.isReadOnly)
        try store.close()
        try store.close()
        let memory = try StoreSource.inMemory.open(try TestEntities.schema(), StoreOptions())
        #expect(memory.readers.isEmpty)
        try memory.close()
    }

    @Test func `a closed store refuses every use`() throws {
        let store = try directory.open()
        let reader = try #require(store.readers.first)
        try store.close()
        let error = try storeError(.backend) { try reader.read { _ in } }
        #expect(error.message.contains("closed"))
        reader.interrupt()
        store.writer.interrupt()
    }
}
