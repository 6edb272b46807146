#if canImport(Glibc)
import Foundation
import TestSupport
import Testing

@testable import SkiathosSQLite

/// What the system tells of files that are written.
@Suite(.generousTimeLimit) struct WriteWatchTests {
    let directory: TemporaryDirectory
    let file: String

    init() throws {
        directory = try TemporaryDirectory()
        file = directory.file("written")
        try Data("a".utf8).write(to: URL(fileURLWithPath: file))
    }

    @Test(.enabled(if: WriteWatch.isUsable))
    func `a watch tells of writes and truncations, once, and of no reads`() throws {
        let watch = try #require(WriteWatch())
        #expect(watch.watch(file))
        #expect(watch.take() == .nothing)
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: file))
        _ = try handle.readToEnd()
        #expect(watch.take() == .nothing)
        try handle.write(contentsOf: Data("b".utf8))
        #expect(watch.take() == .writes)
        #expect(watch.take() == .nothing)
        try handle.truncate(atOffset: 0)
        #expect(watch.take() == .writes)
        try handle.close()
        #expect(watch.take() == .nothing)
    }

    @Test(.enabled(if: WriteWatch.isUsable))
    func `a watch tells that a file has another name, and watches the one that follows`() throws {
        let watch = try #require(WriteWatch())
        #expect(watch.watch(file))
        try FileManager.default.moveItem(atPath: file, toPath: file + ".old")
        #expect(watch.take() == .otherFile)
        #expect(!watch.watch(file))
        try Data("b".utf8).write(to: URL(fileURLWithPath: file))
        #expect(watch.take() == .nothing)
        #expect(watch.watch(file))
        try Data("c".utf8).write(to: URL(fileURLWithPath: file), options: [])
        #expect(watch.take() == .writes)
    }

    @Test func `a watch of a file on a file system of processes tells nothing`() throws {
        let watch = try #require(WriteWatch())
        #expect(!watch.watch("/proc/self/stat"))
        #expect(!watch.watch(directory.file("missing")))
    }

    @Test(.enabled(if: WriteWatch.isUsable))
    func `a watch tells of more writes than the system keeps`() throws {
        let watch = try #require(WriteWatch())
        #expect(watch.watch(file))
        let other = directory.file("other")
        try Data("a".utf8).write(to: URL(fileURLWithPath: other))
        #expect(watch.watch(other))
        let handles = try [file, other].map {
            try FileHandle(forUpdating: URL(fileURLWithPath: $0))
        }
        // Writes to two files in turn are not told as one.
        for number in 0..<40_000 { try handles[number % 2].write(contentsOf: Data("b".utf8)) }
        #expect(watch.take() == .otherFile)
        #expect(watch.take() == .nothing)
        try handles[0].write(contentsOf: Data("b".utf8))
        #expect(watch.take() == .writes)
    }
}

extension WriteWatch {
    /// Whether the system tells of writes to the files of tests.
    static let isUsable =
        (try? TemporaryDirectory()).map { WriteWatch()?.watch($0.file(".")) == true } ?? false
}
#endif
