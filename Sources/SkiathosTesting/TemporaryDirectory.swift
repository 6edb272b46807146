import SkiathosPlatformFoundation

/// A directory of its own for one test, deleted with everything in it when the value goes away.
///
/// ```swift
/// let directory = try TemporaryDirectory()
/// let dal = try await DataAccessLayer.open(.sqlite(directory.file("app.sqlite")), entities: User.self)
/// ```
public final class TemporaryDirectory: Sendable {
    /// The path of the directory, without a slash at its end.
    public let path: String

    /// Makes the directory below the system's directory for temporary files.
    public init() throws {
        let base = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        let parent = base.count > 1 && base.hasSuffix("/") ? String(base.dropLast()) : base
        path = "\(parent)/skiathos-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: nil)
    }

    deinit {
        // A remaining directory does no harm.
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of a file in the directory, which need not exist.
    public func file(_ name: String) -> String { "\(path)/\(name)" }
}
