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
        StoreSource(description: "SQLite file \"\(path)\"") { schema, options in
            try StoreOpener(schema: schema, options: options, file: path).open()
        } plan: { schema, options in
            try StoreOpener(schema: schema, options: options, file: path).plan()
        } rehearse: { schema, options in
            try StoreOpener(schema: schema, options: options, file: path).rehearse()
        }
    }

    /// A SQLite database in memory, a new one for each opening.
    public static var inMemory: StoreSource {
        StoreSource(description: "SQLite database in memory") { schema, options in
            try StoreOpener(schema: schema, options: options, file: nil).open()
        } plan: { schema, options in
            try StoreOpener(schema: schema, options: options, file: nil).plan()
        } rehearse: { schema, options in
            try StoreOpener(schema: schema, options: options, file: nil).rehearse()
        }
    }
}
