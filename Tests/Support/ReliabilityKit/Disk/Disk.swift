internal import FaultVFS
import SkiathosPlatformLibC

/// What the disk of a volume holds for certain at one moment, and what it may hold.
///
/// The volume must not change any more.
package final class Disk {
    private let volume: Volume
    private let pointer: OpaquePointer

    /// The disk before the first change.
    package init(_ volume: Volume) {
        self.volume = volume
        pointer = fault_disk_create(volume.pointer)
    }

    deinit { fault_disk_free(pointer) }

    /// Goes on to a moment, never back.
    package func advance(to moment: Int) { fault_disk_advance(pointer, Int64(moment)) }

    /// The largest promise so far.
    package var promise: Int { Int(fault_disk_promise(pointer)) }

    /// One of the images that a loss of power may leave at this moment.
    package func image(seed: UInt64) -> DiskImage { DiskImage(fault_disk_image(pointer, seed)) }

    /// What the end of the process alone leaves at this moment: all that was written.
    package var imageAfterKill: DiskImage { DiskImage(fault_disk_extreme_image(pointer, true)) }

    /// The least that a loss of power leaves at this moment: what is certain.
    package var imageAfterPowerCut: DiskImage {
        DiskImage(fault_disk_extreme_image(pointer, false))
    }
}

/// The files that a loss of power leaves.
package final class DiskImage: @unchecked Sendable {
    // Sendable: an image never changes; each query works on a copy of its own.

    private let pointer: OpaquePointer

    fileprivate init(_ pointer: OpaquePointer) { self.pointer = pointer }

    deinit { fault_image_free(pointer) }

    /// Whether a file is there.
    package func has(_ name: String) -> Bool { fault_image_has(pointer, name) }

    /// Writes the files to an empty directory.
    package func write(to directory: String) throws {
        guard fault_image_write(pointer, directory) else {
            throw Volume.UnusableDirectory(path: directory)
        }
    }

    /// What SQLite says to a query of a database, that of the store unless another is named, after
    /// recovering it in memory.
    ///
    /// - Returns: SQLite's result code, and the first column of all rows in lines, or a message.
    package func query(
        _ sql: String, of name: String = Volume.storeName
    ) -> (code: Int32, text: String) {
        var text: UnsafeMutablePointer<CChar>?
        let code = fault_image_query(pointer, name, sql, &text)
        defer { free(text) }
        return (code, text.map { String(cString: $0) } ?? "")
    }
}
