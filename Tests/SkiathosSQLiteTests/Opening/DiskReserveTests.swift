import Foundation
import SkiathosPlatformLibC
import SkiathosStore
import Testing

@testable import SkiathosSQLite

/// The file that keeps room for deletions.
@Suite struct DiskReserveTests {
    private let directory: TemporaryDirectory
    private let name = "store.sqlite-reserve"

    init() throws { directory = try TemporaryDirectory() }

    private func status(_ name: String) throws -> stat {
        var status = stat()
        try #require(lstat(directory.file(name), &status) == 0, "\(name) is missing")
        return status
    }

    private var exists: Bool { FileManager.default.fileExists(atPath: directory.file(name)) }

    @Test(arguments: [0o600, 0o640, 0o644, 0o660, 0o666] as [mode_t])
    func `the reserve has the mode and the owner of its store while that is open`(
        wanted: mode_t
    ) throws {
        try directory.open().close()
        try #require(chmod(directory.file(), wanted) == 0)
        // Only the superuser can give files away.
        if getuid() == 0 { try #require(chown(directory.file(), 12, 34) == 0) }
        let store = try directory.open()
        let (main, reserve) = (try status("store.sqlite"), try status(name))
        #expect(reserve.st_mode & 0o7777 == wanted)
        #expect(reserve.st_uid == main.st_uid && reserve.st_gid == main.st_gid)
        #expect(reserve.st_size <= 1 << 20)
        // A file with holes would keep nothing.
        #expect(Int(reserve.st_blocks) * 512 >= Int(reserve.st_size))
        try store.close()
        #expect(!exists)
    }

    @Test func `a store that is only read has no reserve`() throws {
        try directory.open().close()
        var options = StoreOptions()
        options.isReadOnly = true
        let store = try directory.open(TestEntities.all, options)
        #expect(!exists)
        try store.close()
    }

    @Test func `the reserve that a killed process has left is replaced`() throws {
        let store = try directory.open()
        let content = try directory.bytes(name)
        try store.close()
        for remains in [content, content + content, Data(), content.prefix(100)] {
            try directory.write(remains, name)
            let store = try directory.open()
            #expect(try status(name).st_size == content.count)
            try store.close()
            #expect(!exists)
        }
    }

    @Test func `a file of another program stays as it is, and the store works without a reserve`()
        throws
    {
        let other = Data("of another program".utf8)
        try directory.write(other, name)
        var store = try directory.open()
        try store.insert(User.self, user(1))
        try store.close()
        #expect(try directory.bytes(name) == other)
        // Nor is anything written through a link.
        try FileManager.default.removeItem(atPath: directory.file(name))
        try directory.write(other, "other")
        try #require(symlink(directory.file("other"), directory.file(name)) == 0)
        store = try directory.open()
        try store.insert(User.self, user(2))
        try store.close()
        #expect(try directory.bytes("other") == other)
        #expect(try status(name).st_mode & S_IFMT == S_IFLNK)
        try #require(unlink(directory.file(name)) == 0)
        try #require(link(directory.file("other"), directory.file(name)) == 0)
        try directory.open().close()
        #expect(try directory.bytes("other") == other)
        #expect(try status("other").st_nlink == 2)
    }

    @Test func `a transaction counts as one that deletes until it does something else`() throws {
        let store = try #require(try directory.open() as? SQLiteStore)
        let users = store.position(User.self)
        try store.insert(User.self, user(1), user(2), user(3))
        let first = Rows([[.integer(1)]])
        let writer = try #require(store.writer as? SQLiteWriter)
        try writer.access { session in
            try session.begin()
            #expect(session.deletion == .possible)
            try session.apply([.delete(entity: users, first)])
            #expect(session.deletion == .only)
            try session.apply([.insert(entity: users, Rows([user(9)]))])
            #expect(session.deletion == .never)
            _ = try session.delete(FetchRequest(entity: users))
            #expect(session.deletion == .never)
            try session.rollback()
            try session.begin()
            _ = try session.delete(FetchRequest(entity: users))
            #expect(session.deletion == .only)
            _ = try session.update(FetchRequest(entity: users), [])
            #expect(session.deletion == .only)
            _ = try session.writeNatively { _ in }
            #expect(session.deletion == .never)
            try session.rollback()
            try session.begin()
            try session.apply(
                [.delete(entity: users, first), .insert(entity: users, Rows([user(9)]))],
                onFailure: .callerRollsBack)
            #expect(session.deletion == .never)
            try session.rollback()
        }
        try store.close()
    }
}
