import Foundation
import Skiathos
import SkiathosTesting
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc

/// What concerns the whole process: another one, a fork, its user, its limits.
///
/// Each runs its dangerous half in a process of its own.
@Suite(.generousTimeLimit) struct ProcessTests {
    @Test func `the error of a second process names the holder of the store, which it may read`()
        async throws
    {
        let store = try TemporaryStore()
        let dal = try await store.open()
        try await dal.write { try User.create(in: $0) { $0.firstname = "Ada" } }
        await #expect(processExitsWith: .success) {
            [path = store.path as String, holder = getpid() as pid_t] in
            let error = await #expect(throws: StoreError.self) {
                try await DataAccessLayer.fixture(at: path)
            }
            #expect(error?.code == .storeInUse)
            #expect(error?.message.contains("process \(holder)") == true)
            var configuration = Configuration()
            configuration.isReadOnly = true
            let reader = try await DataAccessLayer.fixture(at: path, configuration: configuration)
            let names: [String] = try await reader.read { try User.all(in: $0).map(\.firstname) }
            #expect(names == ["Ada"])
            try await reader.close()
        }
        try await dal.write { try User.create(in: $0) { $0.age = 1 } }
        try await dal.close()
        #expect(try await store.storedUsers() == 2)
    }

    @Test func `a store holds what was written when a process is killed`() async throws {
        let store = try TemporaryStore()
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = store.path as String] in
            let dal = try await DataAccessLayer.fixture(at: path)
            for age in 0..<10 {
                try await dal.write { context in try User.create(in: context) { $0.age = age } }
            }
            try await dal.write { context in
                try User.create(in: context) { $0.age = 10 }
                _ = try User.count(in: context)
                kill(getpid(), SIGKILL)
            }
        }
        #expect(try await store.storedUsers() == 10)
    }

    @Test(arguments: Acknowledgement.allCases)
    func `a killed process keeps what was acknowledged as committed`(
        level: Acknowledgement
    ) async throws {
        let store = try TemporaryStore()
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = store.path as String, level = level.rawValue as Int] in
            var configuration = Configuration()
            configuration.commitInterval = .seconds(3600)
            let dal = try await DataAccessLayer.fixture(at: path, configuration: configuration)
            for age in 0..<10 {
                try await dal.write(acknowledging: Acknowledgement(rawValue: level)) { context in
                    try User.create(in: context) { $0.age = age }
                }
            }
            kill(getpid(), SIGKILL)
        }
        #expect(try await store.storedUsers() == (level == .merged ? 0 : 10))
    }

    @Test func `a batch that the disk has no room for is lost as a whole, and every write fails`()
        async throws
    {
        let store = try TemporaryStore()
        await #expect(processExitsWith: .success) { [path = store.path as String] in
            let failures = Log<BackgroundFailure>()
            var configuration = Configuration()
            configuration.commitInterval = .seconds(3600)
            configuration.errorHandler = { failures.note($0) }
            let dal = try await DataAccessLayer.fixture(at: path, configuration: configuration)
            let first = try await dal.write { try User.create(in: $0) { $0.age = -1 }.id }
            try await ProcessTests.withFileSizeLimit(64 << 10) {
                for age in 0..<200 {
                    try await dal.write(acknowledging: .merged) { context in
                        try User.create(in: context) {
                            $0.age = age
                            $0.firstname = String(repeating: "x", count: 900)
                        }
                    }
                }
                // A write that has seen what is going to be lost.
                let began = Event()
                let door = Door()
                let late = Task {
                    try await onThread {
                        try dal.write { context in
                            let seen = try User.find(first, in: context)
                            began.happen()
                            door.pass()
                            seen?.age = 99
                        }
                    }
                }
                await began.wait()
                let count: Int = try await dal.read { try User.count(in: $0) }
                #expect(count == 1)
                door.open()
                let error = await #expect(throws: DataAccessError.self) { _ = try await late.value }
                #expect(error?.code == .transactionLost)
            }
            #expect(failures.entries.map(\.operation) == [.commit])
            let cause = failures.entries.first?.error as? StoreError
            #expect([.diskFull, .inputOutput].contains(cause?.code))
            #expect(cause?.outcome == (cause?.code == .inputOutput ? .unknown : .notCommitted))
            let next = try await dal.write { try User.create(in: $0) { $0.age = 1 }.id }
            #expect(next.rawValue > first.rawValue + 200)
            let problems = try await dal.integrityProblems()
            #expect(problems == [])
            try await dal.close()
        }
        #expect(try await store.storedUsers() == 2)
    }

    /// Runs a closure while no file of this process may grow beyond a size.
    private static func withFileSizeLimit(
        _ size: UInt, _ body: () async throws -> Void
    ) async throws {
        // Without this the signal would end the process.
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit()
        getrlimit(.init(RLIMIT_FSIZE.rawValue), &limit)
        let before = limit
        limit.rlim_cur = rlim_t(size)
        setrlimit(.init(RLIMIT_FSIZE.rawValue), &limit)
        try await body()
        limit = before
        setrlimit(.init(RLIMIT_FSIZE.rawValue), &limit)
    }

    @Test func `a child of a fork is refused`() async throws {
        let store = try TemporaryStore()
        await #expect(processExitsWith: .success) { [path = store.path as String] in
            let dal = try await DataAccessLayer.fixture(at: path)
            try await dal.write { try User.create(in: $0) }
            // Only the thread that forks lives on in the child, so it does nothing but ask.
            let status = try await onThread { () -> Int32 in
                let child = try ProcessTests.fork()
                if child == 0 { _exit(ProcessTests.isRefused(dal) ? 42 : 1) }
                var status: Int32 = 0
                waitpid(child, &status, 0)
                return status
            }
            #expect(status == 42 << 8)
            try await dal.write { try User.create(in: $0) { $0.age = 1 } }
            try await dal.close()
        }
        #expect(try await store.storedUsers() == 2)
    }

    @Test func `a store can be opened again while a child still has copies of its files`()
        async throws
    {
        let store = try TemporaryStore()
        await #expect(processExitsWith: .success) { [path = store.path as String] in
            let dal = try await DataAccessLayer.fixture(at: path)
            // The child lives until the other end is closed, at the latest by the parent's end.
            let pipe = Pipe()
            let (read, write) = (
                pipe.fileHandleForReading.fileDescriptor, pipe.fileHandleForWriting.fileDescriptor
            )
            try await onThread {
                guard try ProcessTests.fork() == 0 else { return }
                var byte: UInt8 = 0
                close(write)
                Glibc.read(read, &byte, 1)
                _exit(0)
            }
            try await dal.close()
            let again = try await DataAccessLayer.fixture(at: path)
            try await again.close()
            try pipe.fileHandleForWriting.close()
        }
    }

    @Test func `a child that releases the store does not close it for its parent`() async throws {
        let store = try TemporaryStore()
        await #expect(processExitsWith: .success) { [path = store.path as String] in
            try await onThread {
                var dal: DataAccessLayer? = try DataAccessLayer(
                    .sqlite(path), entities: User.self, Company.self)
                weak let released = dal
                _ = try dal?.write { _ = try User.create(in: $0) }
                let child = try ProcessTests.fork()
                if child == 0 {
                    dal = nil
                    _exit(released == nil ? 42 : 1)
                }
                var status: Int32 = 0
                waitpid(child, &status, 0)
                #expect(status == 42 << 8)
                let error = #expect(throws: StoreError.self) {
                    try DataAccessLayer(.sqlite(path), entities: User.self, Company.self)
                }
                #expect(error?.code == .storeInUse)
                _ = try dal?.write { _ = try User.create(in: $0) { $0.age = 1 } }
                let count = try dal?.read { try User.count(in: $0) }
                #expect(count == 2)
                try dal?.close()
            }
        }
    }

    private static func isRefused(_ dal: DataAccessLayer) -> Bool {
        let calls: [() throws -> Void] = [
            { try dal.read { _ in } }, { try dal.write { _ in } }, { try dal.flush() },
            { try dal.close() },
        ]
        guard dal.health == StoreHealth(state: .forked) else { return false }
        return calls.allSatisfy { call in
            do {
                try call()
                return false
            } catch {
                return (error as? DataAccessError)?.code == .forkedProcess
            }
        }
    }

    /// Calls the C function, which Swift does not offer since most of what a child may do is not
    /// safe.
    private static func fork() throws -> pid_t {
        typealias Fork = @convention(c) () -> pid_t
        let address = try #require(dlsym(nil, "fork"))
        return unsafeBitCast(address, to: Fork.self)()
    }

    @Test(.enabled(if: getuid() == 0, "only the superuser can become another user"))
    func `a directory or file without permission is named`() async throws {
        let store = try TemporaryStore()
        try await store.open().close()
        await #expect(processExitsWith: .success) {
            [path = store.path as String, directory = store.directory.path as String] in
            setuid(65_534)
            let existing = await #expect(throws: StoreError.self) {
                try await DataAccessLayer.fixture(at: path)
            }
            #expect(existing?.code == .notPermitted)
            #expect(existing?.message.contains(directory) == true)
            let new = await #expect(throws: StoreError.self) {
                try await DataAccessLayer.fixture(at: directory + "/new.sqlite")
            }
            #expect(new?.code == .notPermitted)
            #expect(new?.message.contains(directory) == true)
            let names = try FileManager.default.contentsOfDirectory(atPath: directory)
            #expect(names.sorted() == ["test.sqlite", "test.sqlite.lock"])
        }
    }

    @Test(.enabled(if: getuid() == 0, "only the superuser can become another user"))
    func `in a directory without permission a backup can be read, and a store once it is copied`()
        async throws
    {
        let store = try TemporaryStore()
        let dal = try await store.open()
        try await dal.write { try User.create(in: $0) }
        try await dal.backUp(to: store.directory.file("backup.sqlite"))
        try await dal.close()
        // Whatever the mask of this process is, others may read.
        for name in ["", "/test.sqlite", "/backup.sqlite"] {
            try #require(chmod(store.directory.path + name, 0o755) == 0)
        }
        // The other user may make no directory where temporary ones are.
        let writable = try TemporaryDirectory()
        try #require(chmod(writable.path, 0o777) == 0)
        await #expect(processExitsWith: .success) {
            [directory = store.directory.path as String, copies = writable.path as String] in
            setuid(65_534)
            let configuration = ProcessTests.readOnly
            let error = await #expect(throws: StoreError.self) {
                try await DataAccessLayer.fixture(
                    at: directory + "/test.sqlite", configuration: configuration)
            }
            #expect(error?.code == .notPermitted)
            #expect(error?.message.contains(directory) == true)
            #expect(error?.message.contains("copy the store") == true)
            let backup = try await DataAccessLayer.fixture(
                at: directory + "/backup.sqlite", configuration: configuration)
            let inBackup: Int = try await backup.read { try User.count(in: $0) }
            #expect(inBackup == 1)
            try await backup.close()
            let copy = copies + "/copy.sqlite"
            try Data(contentsOf: URL(fileURLWithPath: directory + "/test.sqlite"))
                .write(to: URL(fileURLWithPath: copy))
            let reader = try await DataAccessLayer.fixture(at: copy, configuration: configuration)
            let inCopy: Int = try await reader.read { try User.count(in: $0) }
            #expect(inCopy == 1)
            try await reader.close()
            let names = try FileManager.default.contentsOfDirectory(atPath: directory)
            #expect(names.sorted() == ["backup.sqlite", "test.sqlite", "test.sqlite.lock"])
        }
    }

    /// Opens a store for reading only.
    private static var readOnly: Configuration {
        var configuration = Configuration()
        configuration.isReadOnly = true
        return configuration
    }

    @Test func `a write that the disk has no room for is rolled back, and the next succeeds`()
        async throws
    {
        let store = try TemporaryStore()
        await #expect(processExitsWith: .success) { [path = store.path as String] in
            let dal = try await DataAccessLayer.fixture(at: path)
            try await dal.write { try User.create(in: $0) { $0.firstname = "first" } }
            try await ProcessTests.withFileSizeLimit(1 << 20) {
                let error = await #expect(throws: StoreError.self) {
                    try await dal.write { context in
                        for age in 0..<3000 {
                            try User.create(in: context) {
                                $0.age = age
                                $0.firstname = String(repeating: "x", count: 1000)
                            }
                        }
                    }
                }
                #expect([.diskFull, .inputOutput].contains(error?.code))
                let during: Int = try await dal.read { try User.count(in: $0) }
                #expect(during == 1)
            }
            try await dal.write { try User.create(in: $0) { $0.firstname = "second" } }
            let problems = try await dal.integrityProblems()
            #expect(problems == [])
            try await dal.close()
        }
        #expect(try await store.storedUsers() == 2)
    }

    @Test func `changing an object that its write has deleted stops with a sentence`() async throws
    {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let dal = try await DataAccessLayer.open(.inMemory, entities: Company.self)
            try await dal.write { context in
                let company = try Company.create(in: context)
                try company.delete()
                company.name = "late"
            }
        }
        let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(words.contains("A Company that was deleted in this write was changed"))
    }
}
#endif
