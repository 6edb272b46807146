import SkiathosStore

/// The main file of a store that is open for reading only.
///
/// If it is replaced, the connections continue to read the old file, to which nothing is written any
/// more.
struct ReadFile: Sendable {
    private let file: KnownFile

    /// Records the file; called before the first connection is opened.
    init(_ path: StorePath) throws {
        guard let file = try KnownFile(path.file) else { throw Self.wasReplaced(path.file) }
        self.file = file
    }

    /// Throws unless the path leads to the same file.
    ///
    /// - Throws: ``StoreError`` with code `interference`, or, if this process cannot check, with the
    ///   code of the reason.
    func check() throws {
        guard try file.present != nil else { throw Self.wasReplaced(file.path) }
    }

    private static func wasReplaced(_ path: String) -> StoreError {
        StoreError(
            .interference,
            "\"\(path)\" was removed or replaced while the store was open for reading, so reads see the old file, and no later commit. Find out which program did it, and open the store again."
        )
    }
}
