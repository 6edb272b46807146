import Foundation
import SkiathosPlatformLibC
import SkiathosStore
import Testing

@testable import SkiathosSQLite

/// Who may read the files that a store makes.
///
/// The modes lie on both sides of what any usual umask would give, so none of them comes from it.
@Suite struct FileModeTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func mode(_ name: String) throws -> mode_t {
        var status = stat()
        try #require(lstat(directory.file(name), &status) == 0, "\(name) is missing")
        return status.st_mode & 0o7777
    }

    /// Makes a filled store whose file has a mode.
    private func make(_ mode: mode_t) throws {
        try ShelfStore.make(at: directory.file())
        try #require(chmod(directory.file(), mode) == 0)
    }

    private func complete(_ backup: any StoreBackup) throws {
        var progress = StoreProgress(completed: 0, total: 1)
        while progress.completed < progress.total { progress = try backup.step() }
        try backup.finish()
    }

    private func parts() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path)
            .filter { $0.contains(".part-") }
    }

    @Test(arguments: [0o600, 0o640, 0o644, 0o660, 0o666] as [mode_t], [false, true])
    func `a backup has the mode of its store from the beginning`(
        wanted: mode_t, isOverwriting: Bool
    ) throws {
        try make(wanted)
        if isOverwriting {
            try directory.write(Data(), "copy")
            try #require(chmod(directory.file("copy"), 0o666) == 0)
        }
        let store = try ShelfStore.open(directory.file())
        let backup = try store.beginBackup(
            to: directory.file("copy"), overwriting: isOverwriting)
        let parts = try parts()
        #expect(parts.count == 1)
        for part in parts { #expect(try mode(part) == wanted) }
        try complete(backup)
        #expect(try mode("copy") == wanted)
        #expect(try self.parts() == [])
        try store.close()
    }

    @Test(arguments: [0o600, 0o640, 0o644, 0o660, 0o666] as [mode_t])
    func `the WAL and its index have the mode of their store`(wanted: mode_t) throws {
        try make(wanted)
        let store = try ShelfStore.open(directory.file())
        try store.insert(Shelf.self, [9, "new", 1])
        #expect(try mode("store.sqlite-wal") == wanted)
        #expect(try mode("store.sqlite-shm") == wanted)
        try store.close()
        #expect(try mode("store.sqlite") == wanted)
    }

    @Test func `a backup belongs to the owner of its store`() throws {
        // Only the superuser can give files away.
        guard getuid() == 0 else { return }
        try make(0o640)
        try #require(chown(directory.file(), 12, 34) == 0)
        let store = try ShelfStore.open(directory.file())
        try complete(store.beginBackup(to: directory.file("copy"), overwriting: false))
        var status = stat()
        try #require(stat(directory.file("copy"), &status) == 0)
        #expect(status.st_uid == 12 && status.st_gid == 34)
        #expect(try mode("copy") == 0o640)
        try store.close()
    }

    @Test func `a backup of memory has the mode of a new store`() throws {
        try ShelfStore.make(at: directory.file())
        let memory = try StoreSource.inMemory.open(
            try StoreSchema(ShelfStore.all), StoreOptions())
        try complete(memory.beginBackup(to: directory.file("copy"), overwriting: false))
        #expect(try mode("copy") == mode("store.sqlite"))
        try memory.close()
    }

    @Test func `a name that another program takes meanwhile stays with its file`() throws {
        try make(0o600)
        let store = try ShelfStore.open(directory.file())
        let backup = try store.beginBackup(to: directory.file("copy"), overwriting: false)
        // Another program takes the name meanwhile.
        try directory.write(Data("mine".utf8), "copy")
        let error = try storeError(.fileExists) { try complete(backup) }
        #expect(error.message.contains("copy"))
        #expect(try directory.bytes("copy") == Data("mine".utf8))
        #expect(try parts() == [])
        try store.close()
    }

    @Test func `a file gets an unused name in one step, and no other`() throws {
        try directory.write(Data("one".utf8), "one")
        try directory.write(Data("two".utf8), "two")
        #expect(try !SystemCalls.rename(directory.file("one"), toUnused: directory.file("two")))
        #expect(try directory.bytes("two") == Data("two".utf8))
        #expect(try SystemCalls.rename(directory.file("one"), toUnused: directory.file("three")))
        #expect(try directory.bytes("three") == Data("one".utf8))
        #expect(try SystemCalls.status(of: directory.file("one")) == nil)
    }
}
