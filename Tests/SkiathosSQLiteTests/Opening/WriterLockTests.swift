import Foundation
import ReliabilityKit
import SkiathosStore
import Testing

@testable import SkiathosSQLite

@Suite struct WriterLockTests {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func open(_ path: String) throws {
        try StoreSource.sqlite(path).open(try TestEntities.schema(), StoreOptions()).close()
    }

    @Test func `the error of a second writer names the first`() throws {
        let store = try directory.open()
        let error = try storeError(.storeInUse) { try open(directory.file()) }
        #expect(error.message.contains("this very process, \(getpid())"))
        #expect(error.message.contains("read-only"))
        try store.close()
        try open(directory.file())
    }

    /// The lock is held by a descriptor that this package has not opened, as in another process.
    @Test(arguments: [
        (getpid(), "of another container"), (Int32.max, "a process that it has started"),
        (1, "open for writing in process 1."),
    ])
    func `the error says what is known of a holder that cannot be this store`(
        _ process: Int32, _ words: String
    ) throws {
        try directory.open().close()
        let file = try SystemCalls.openSideFile(directory.file() + ".lock", like: nil)
        defer { SystemCalls.closeFile(file) }
        try SystemCalls.writeText(
            WriterLock.Holder(processID: process, bootID: nil).text, to: file)
        #expect(try SystemCalls.tryLock(file))
        let error = try storeError(.storeInUse) { try open(directory.file()) }
        #expect(error.message.contains(words))
        #expect(!error.message.contains("this very process"))
    }

    @Test func `every spelling of the path meets the same lock`() throws {
        let manager = FileManager.default
        let store = try directory.open()
        try manager.createSymbolicLink(
            atPath: directory.file("link"), withDestinationPath: "store.sqlite")
        try manager.createSymbolicLink(
            atPath: directory.file("folder"), withDestinationPath: directory.path)
        let name = URL(fileURLWithPath: directory.path).lastPathComponent
        for path in ["link", "folder/link", "../\(name)/./store.sqlite", "/store.sqlite"] {
            _ = try storeError(.storeInUse) { try open(directory.file(path)) }
        }
        try store.close()
    }

    @Test func `a link to a file that is yet to be created leads to it`() throws {
        let target = try TemporaryDirectory()
        try FileManager.default.createSymbolicLink(
            atPath: directory.file("link"), withDestinationPath: target.file())
        try open(directory.file("link"))
        #expect(FileManager.default.fileExists(atPath: target.file()))
        #expect(FileManager.default.fileExists(atPath: target.file() + ".lock"))
    }

    @Test func `links that lead in a circle are refused`() throws {
        try FileManager.default.createSymbolicLink(
            atPath: directory.file("link"), withDestinationPath: "link")
        #expect(throws: StoreError.self) { try open(directory.file("link")) }
    }

    @Test func `the lock of another process is respected and names it`() throws {
        let path = try StorePath(directory.file())
        let input = Pipe()
        let output = Pipe()
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/flock") else { return }
        // The shell keeps descriptor 9, and with it the lock, until it is told something.
        let child = try SpawnedProcess(
            [
                "/bin/sh", "-c",
                "exec 9>>\"$1\"; flock -x 9; echo $$ >&9; echo locked; read line", "sh",
                path.lockFile,
            ],
            SpawnedProcess.Streams(
                input: input.fileHandleForReading.fileDescriptor,
                output: output.fileHandleForWriting.fileDescriptor))
        _ = output.fileHandleForReading.availableData
        let error = try storeError(.storeInUse) { try open(directory.file()) }
        #expect(error.message.contains("process \(child.id)"))
        try input.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
        #expect(child.wait().code == 0)
        try open(directory.file())
    }

    @Test func `a lock file that is removed is replaced`() throws {
        let path = try StorePath(directory.file())
        let first = try WriterLock(path)
        first.release()
        first.release()
        try FileManager.default.removeItem(atPath: path.lockFile)
        let second = try WriterLock(path)
        _ = try storeError(.storeInUse) { _ = try WriterLock(path) }
        second.release()
        let content = try String(contentsOfFile: path.lockFile, encoding: .utf8)
        #expect(content.hasPrefix("\(getpid())") && content.hasSuffix("\n"))
    }

    /// What may stand where the lock of a store belongs.
    enum Stranger: String, CaseIterable {
        case linkToFile, linkToNothing, hardLink, directory, pipe, text, digitsAndText, binary
    }

    @Test(arguments: Stranger.allCases)
    func `a lock file that is none is refused and left as it was`(_ stranger: Stranger) throws {
        let manager = FileManager.default
        let lock = directory.file() + ".lock"
        let target = directory.file("precious")
        let content = Data("4711\nprecious\n".utf8)
        try content.write(to: URL(fileURLWithPath: target))
        switch stranger {
        case .linkToFile: try manager.createSymbolicLink(atPath: lock, withDestinationPath: target)
        case .linkToNothing:
            try manager.createSymbolicLink(
                atPath: lock, withDestinationPath: directory.file("new"))
        case .hardLink: try manager.linkItem(atPath: target, toPath: lock)
        case .directory:
            try manager.createDirectory(atPath: lock, withIntermediateDirectories: false)
        case .pipe: #expect(mkfifo(lock, 0o600) == 0)
        case .text: try Data("precious".utf8).write(to: URL(fileURLWithPath: lock))
        case .digitsAndText: try content.write(to: URL(fileURLWithPath: lock))
        case .binary:
            try Data((0..<200).map { UInt8(truncatingIfNeeded: $0 * 97 + 131) })
                .write(to: URL(fileURLWithPath: lock))
        }
        let before = manager.contents(atPath: lock)
        let error = #expect(throws: StoreError.self) { try open(directory.file()) }
        #expect([.invalidPath, .notPermitted].contains(error?.code))
        #expect(error?.message.contains(lock) == true)
        #expect(manager.contents(atPath: target) == content)
        if stranger != .pipe { #expect(manager.contents(atPath: lock) == before) }
        #expect(!manager.fileExists(atPath: directory.file("new")))
        #expect(!manager.fileExists(atPath: directory.file()))
    }

    @Test(arguments: [0o600, 0o640, 0o660, 0o666] as [mode_t])
    func `the files beside a store have its permissions`(_ mode: mode_t) throws {
        try open(directory.file())
        #expect(chmod(directory.file(), mode) == 0)
        try FileManager.default.removeItem(atPath: directory.file() + ".lock")
        let store = try directory.open()
        for suffix in [".lock", "-wal", "-shm", "-witness"] {
            var status = stat()
            #expect(stat(directory.file() + suffix, &status) == 0, "\(suffix)")
            #expect(status.st_mode & 0o777 == mode, "\(suffix)")
        }
        try store.close()
    }

    @Test(arguments: [true, false])
    func `a file with two names is refused under each, since each would have a lock of its own`(
        _ isReadOnly: Bool
    ) throws {
        try open(directory.file())
        let other = directory.file("other.sqlite")
        try FileManager.default.linkItem(atPath: directory.file(), toPath: other)
        for path in [directory.file(), other] {
            let error = try storeError(.invalidPath) {
                _ = try StoreSource.sqlite(path).open(
                    try TestEntities.schema(), StoreOptions(isReadOnly: isReadOnly))
            }
            #expect(error.message.contains("hard link"))
        }
        #expect(!FileManager.default.fileExists(atPath: other + ".lock"))
        try FileManager.default.removeItem(atPath: other)
        try open(directory.file())
    }
}
