import Foundation
import SkiathosLocks

/// A terminal without a user.
///
/// It buffers no more than a few kilobytes, so a process that continues to write to it waits.
struct Terminal {
    /// What a process writes to.
    let device: FileHandle
    private let screen: FileHandle

    /// Whether this system has terminals to give away; a bare container may have none.
    static let isAvailable = (try? Terminal()) != nil

    init() throws {
        var screen: Int32 = -1
        var device: Int32 = -1
        guard openpty(&screen, &device, nil, nil, nil) == 0 else { throw POSIXError(.ENXIO) }
        self.screen = FileHandle(fileDescriptor: screen, closeOnDealloc: true)
        self.device = FileHandle(fileDescriptor: device, closeOnDealloc: true)
    }

    /// Waits until a byte has been written a number of times, without blocking a task's thread.
    ///
    /// - Returns: Whether it was; `false` if the last writer has gone before.
    func wait(for byte: UInt8, times: Int) async -> Bool {
        let screen = screen
        return await withContinuation { continuation in
            DispatchQueue.global().async {
                var missing = times
                var buffer = [UInt8](repeating: 0, count: 64)
                while missing > 0 {
                    let count = read(screen.fileDescriptor, &buffer, buffer.count)
                    guard count > 0 else { break }
                    missing -= buffer[..<count].count { $0 == byte }
                }
                continuation.resume(returning: missing <= 0)
            }
        }
    }
}
