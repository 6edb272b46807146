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

    @Test func `a second writer is told who the first is`() throws {
        let store = try directory.open()
        let error = try storeError(.storeInUse) { try open(directory.file()) }
        #expect(error.message.contains("this very process, \(getpid())"))
        #expect(error.message.contains("read-only"))
        try store.close()
        try open(directory.file())
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
        #expect(try String(contentsOfFile: path.lockFile, encoding: .utf8) == "\(getpid())\n")
    }
}
