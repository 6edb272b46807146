import Foundation
import ReliabilityKit
import Skiathos
import SkiathosPlatformLibC
import SkiathosStore
import SkiathosTesting
import Testing

/// A small disk in memory, until it is unmounted.
struct SmallDisk {
    /// Where it is mounted.
    let path: String
    private let parent: TemporaryDirectory

    /// Mounts it; `nil`, and a sentence for the record, if that is not possible.
    init?(size: String) throws {
        parent = try TemporaryDirectory()
        path = parent.file("disk")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        if let reason = try Self.mount(["-t", "tmpfs", "-o", "size=\(size)", "tmpfs", path]) {
            print("The small disk is not tested. \(reason)")
            return nil
        }
    }

    /// Has the system refuse every change on it.
    func makeReadOnly() throws {
        let reason = try Self.mount(["-o", "remount,ro", path])
        try #require(reason == nil)
    }

    /// Writes a file that takes all that is free.
    func fill(_ name: String) throws {
        let file = open(path + "/" + name, O_WRONLY | O_CREAT, 0o600)
        try #require(file >= 0)
        defer { close(file) }
        let page = [UInt8](repeating: 1, count: 4_096)
        while write(file, page, page.count) > 0 {}
    }

    /// The error with which a store on it is not opened.
    func refusal(
        of source: StoreSource, _ configuration: Configuration
    ) async -> StoreError? {
        await #expect(throws: StoreError.self) {
            try await DataAccessLayer.open(
                source, entities: Item.self, configuration: configuration)
        }
    }

    /// Also while files on it are open.
    func unmount() { _ = try? SpawnedProcess(["/bin/umount", "-l", path]).wait() }

    /// Mounts a disk; returns the reason if that is not possible.
    private static func mount(_ arguments: [String]) throws -> String? {
        guard getuid() == 0 else { return "Only the superuser can mount a disk." }
        guard FileManager.default.isExecutableFile(atPath: "/bin/mount") else {
            return "There is no /bin/mount."
        }
        let status = try SpawnedProcess(["/bin/mount"] + arguments).wait()
        return status.code == 0 ? nil : "The system refuses to mount a disk."
    }
}
