import SkiathosStore

/// The checked path of a store's file: absolute and free of symbolic links, so that every
/// spelling of one file leads to the same lock.
struct StorePath: Sendable {
    /// The path of the main file.
    let file: String
    /// The directory of the main file.
    let directory: String

    /// The quoted path, for messages.
    var quotedFile: String { "\"\(file)\"" }
    /// The file by which writers exclude each other.
    var lockFile: String { sideFile(.lock).path }
    /// The write-ahead log (WAL).
    var walFile: String { sideFile(.wal).path }
    /// The index of the WAL, which the connections share.
    var indexFile: String { sideFile(.index).path }
    /// The witness of the last synced end of the WAL.
    var witnessFile: String { sideFile(.witness).path }

    /// A file beside the main file.
    func sideFile(_ kind: SideFile.Kind) -> SideFile {
        SideFile(kind: kind, path: file + kind.suffix)
    }

    /// SQLite keeps paths in buffers of 512 bytes and appends up to eight.
    private static let longestPath = 503

    /// Resolves what the user wrote.
    ///
    /// - Throws: ``StoreError`` with code `invalidPath`, or that of the failure to follow it.
    init(_ text: String) throws {
        try Self.checkSpelling(text)
        do {
            file = try Self.resolve(text)
        } catch let failure as SystemCalls.Failure {
            throw failure.error("The path \"\(text)\" cannot be followed")
        }
        directory = Self.split(file).directory
        guard file.utf8.count <= Self.longestPath else {
            throw StoreError(
                .invalidPath,
                "The absolute path of the store has \(file.utf8.count) bytes; SQLite takes at most \(Self.longestPath). Choose a directory with a shorter path."
            )
        }
    }

    private static func checkSpelling(_ text: String) throws {
        guard !text.isEmpty else {
            throw StoreError(.invalidPath, "The path of the store is empty. Name a file.")
        }
        guard !text.utf8.contains(0) else {
            throw StoreError(
                .invalidPath, "The path of the store contains a NUL character. Remove it.")
        }
        guard !text.lowercased().hasPrefix("file:") else {
            throw StoreError(
                .invalidPath,
                "\"\(text)\" is an address, in which SQLite gives some characters a meaning. Give the path alone, without \"file:\"."
            )
        }
        guard text != ":memory:" else {
            throw StoreError(
                .invalidPath, "\":memory:\" is not a path. Use the source .inMemory instead.")
        }
    }

    /// Follows links to the file itself, even if the file is yet to be created.
    private static func resolve(_ text: String) throws -> String {
        var path = text
        // As many links as Linux follows.
        for _ in 0..<40 {
            if let resolved = try SystemCalls.resolved(path) { return resolved }
            let (directory, name) = split(path)
            guard let target = SystemCalls.linkTarget(of: path) else {
                return try resolve(name, in: directory, asWritten: text)
            }
            path = target.hasPrefix("/") ? target : directory + "/" + target
        }
        throw StoreError(
            .invalidPath, "The path \"\(text)\" leads through too many symbolic links.")
    }

    private static func resolve(
        _ name: String, in directory: String, asWritten text: String
    ) throws -> String {
        guard !name.isEmpty, name != ".", name != ".." else {
            throw StoreError(
                .invalidPath, "\"\(text)\" does not name a file. Add the name of the file.")
        }
        guard let resolved = try SystemCalls.resolved(directory),
            try SystemCalls.status(of: resolved)?.isDirectory == true
        else {
            throw StoreError(
                .invalidPath,
                "The directory \"\(directory)\" of the store does not exist. Create it first.")
        }
        return resolved == "/" ? "/" + name : resolved + "/" + name
    }

    private static func split(_ path: String) -> (directory: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        let directory = slash == path.startIndex ? "/" : String(path[..<slash])
        return (directory, String(path[path.index(after: slash)...]))
    }
}
