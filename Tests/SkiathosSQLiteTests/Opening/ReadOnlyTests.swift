import Foundation
import SkiathosSQLite
import SkiathosStore
import Testing

@Suite struct ReadOnlyTests {
    let directory: TemporaryDirectory
    private let options = StoreOptions(isReadOnly: true)

    init() throws { directory = try TemporaryDirectory() }

    @Test func `a missing or empty file is not created by reading`() throws {
        #expect(
            try storeError(.invalidPath) { _ = try directory.open(TestEntities.all, options) }
                .message.contains("no file"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
        try directory.write(Data())
        #expect(
            try storeError(.schemaMismatch) { _ = try directory.open(TestEntities.all, options) }
                .message.contains("empty"))
        #expect(try directory.bytes().isEmpty)
    }

    @Test func `a store can be read while it is open for writing`() throws {
        let store = try directory.open()
        try store.insert(User.self, user(1))
        let other = try directory.open(TestEntities.all, options)
        #expect(other.isReadOnly)
        #expect(try other.ids(User.self) == [1])
        try store.insert(User.self, user(2))
        #expect(try other.ids(User.self) == [1, 2])
        #expect(
            try other.writer.read { try $0.count(FetchRequest(entity: other.position(User.self))) }
                == 2)
        try other.close()
        try store.close()
    }

    @Test func `reading leaves the file as it was and takes no lock`() throws {
        let store = try directory.open()
        try store.insert(User.self, user(1))
        try store.close()
        let bytes = try directory.bytes()
        try FileManager.default.removeItem(atPath: directory.file() + ".lock")
        let other = try directory.open(TestEntities.all, options)
        #expect(try other.ids(User.self) == [1])
        try other.close()
        #expect(try directory.bytes() == bytes)
        #expect(!FileManager.default.fileExists(atPath: directory.file() + ".lock"))
    }

    @Test func `every change is refused`() throws {
        try directory.open().close()
        let store = try directory.open(TestEntities.all, options)
        let request = FetchRequest(entity: 0)
        let change = StoreChange.reserveIDs(entity: 0, upTo: 5)
        let assignment = StoreAssignment(column: 1, .set(.value("x")))
        let calls: [(any StoreWriteSession) throws -> Void] = [
            { try $0.begin() }, { try $0.commit() }, { try $0.openSavepoint() },
            { try $0.apply([change]) }, { _ = try $0.update(request, [assignment]) },
            { _ = try $0.delete(request) }, { try $0.deleteEverything() },
        ]
        for call in calls {
            _ = try storeError(.readOnly) { try store.writer.withSession(call) }
        }
        try store.writer.withSession { session in
            try session.rollback()
            try session.checkReferences()
        }
        try store.writer.sync()
        try store.close()
    }
}
