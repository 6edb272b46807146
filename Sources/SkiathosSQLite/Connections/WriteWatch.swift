import CSkiathosFiles
import SkiathosPlatformLibC

/// Tells when a file is written, where the system does.
///
/// Opens no file: closing one would release the locks of the process on it.
final class WriteWatch: Sendable {
    /// What a watch has told.
    enum Told {
        case nothing
        case writes
        /// The path may lead to another file, or to none; there may have been writes, too.
        case otherFile
    }

    /// Can be read when there is something to ``take()``.
    let descriptor: Int32
    private let add: @Sendable (_ descriptor: Int32, _ path: String) -> Bool

    /// Returns `nil` where the system does not tell, or has no room for another watch.
    ///
    /// - Parameter add: Adds a file to those that are watched.
    init?(
        _ add: @escaping @Sendable (Int32, String) -> Bool = { skiathos_watch_writes($0, $1) }
    ) {
        self.add = add
        descriptor = skiathos_open_write_watch()
        guard descriptor >= 0 else { return nil }
    }

    deinit { _ = close(descriptor) }

    /// Watches a file from now on, also one by which it was replaced.
    ///
    /// - Returns: Whether each write will be told: `false` if there is no such file, or if it lies on a
    ///   file system where not every write is made by this system.
    func watch(_ path: String) -> Bool { add(descriptor, path) }

    /// What the watch has told since the last call.
    func take() -> Told {
        let writes = skiathos_take_writes(descriptor)
        return writes.is_other_file ? .otherFile : writes.any ? .writes : .nothing
    }
}
