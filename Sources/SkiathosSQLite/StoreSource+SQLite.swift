public import SkiathosStore

extension StoreSource {
    /// A SQLite database in a file, which is created if there is none.
    ///
    /// ```swift
    /// let source = StoreSource.sqlite("app.sqlite")   // relative to the working directory
    /// ```
    ///
    /// The directory must exist and lie on a local disk.
    public static func sqlite(_ path: String) -> StoreSource {
        sqlite("SQLite file \"\(path)\"", file: path)
    }

    /// A SQLite database in memory, a new one for each opening.
    public static var inMemory: StoreSource {
        sqlite("SQLite database in memory", file: nil)
    }

    private static func sqlite(_ description: String, file: String?) -> StoreSource {
        StoreSource(description: description) { schema, options in
            try StoreOpener(schema: schema, options: options, file: file).open()
        } plan: { schema, options in
            try StoreOpener(schema: schema, options: options, file: file).plan()
        } rehearse: { schema, options in
            try StoreOpener(schema: schema, options: options, file: file).rehearse()
        } replace: { backup, progress in
            guard let file else {
                throw StoreError(
                    .unsupportedBackend,
                    "A store in memory ends with its last use, so there is none to replace. Restore the backup into an open store."
                )
            }
            return try StoreReplacement(at: file).run(with: backup, progress)
        }
    }
}
