import SkiathosStore

/// The layout of the program beside those that a file has had.
struct LayoutHistory {
    /// The layout of the file; `nil` if it is not known.
    let present: StoreLayout?
    /// Whether the file has the layout of the program.
    let isPresent: Bool
    /// Whether the file had the layout of the program and got another one since, so that the program is
    /// an older one.
    let isEarlier: Bool
    /// Whether only indexes differ that are not unique, which an older program leaves as they are.
    let leavesIndexes: Bool
    /// The record that the layout of the program replaces: one by an older version of the package, which
    /// did not keep the layout itself.
    let replaced: String?

    init(_ records: [LayoutRecord], of program: ProgramLayout) {
        let last = records.last
        present = last?.layout
        isPresent = last.map(program.isSame) ?? false
        isEarlier = !isPresent && records.contains(where: program.isSame)
        leavesIndexes = isEarlier && present?.promisesSame(as: program.layout) == true
        replaced = isPresent && present == nil ? last?.fingerprint : nil
    }
}

/// The layout that a program gives its stores.
struct ProgramLayout: Sendable {
    let layout: StoreLayout
    /// The text by which stores recognise it.
    let fingerprint: String
    /// The text by which stores of layout version 1 recognise it.
    private let fingerprintOfVersion1: String

    init(_ schema: StoreSchema) throws {
        layout = StoreLayout(schema)
        fingerprint = try layout.fingerprint
        fingerprintOfVersion1 = TableLayout.fingerprint(of: TableLayout.entities(of: schema))
    }

    func isSame(as record: LayoutRecord) -> Bool {
        record.fingerprint == fingerprint
            || record.layout == nil && record.fingerprint == fingerprintOfVersion1
    }

    /// Writes the layout as the present one of a file.
    ///
    /// - Parameter replaced: The record that it takes the place of.
    func record(replacing replaced: String?, _ run: (String, [StoreValue]) throws -> Void) throws {
        if let replaced {
            try run(
                "DELETE FROM \"skiathos_layout\" WHERE \"fingerprint\" = ?", [.text(replaced)])
        }
        try run(
            """
            INSERT OR REPLACE INTO "skiathos_layout" ("fingerprint", "position", "applied", "layout")
            VALUES (?, (SELECT coalesce(max("position"), 0) + 1 FROM "skiathos_layout"), \
            strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), ?)
            """, [.text(fingerprint), .text(try layout.text)])
    }
}
