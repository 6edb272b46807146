#if Macros
import Skiathos

/// Brings the records of a file to the store.
struct ShopImporter {
    /// What became of the records.
    struct Report: Sendable {
        var inserted = 0
        var changed = 0
        var unchanged = 0

        var finished: Int { inserted + changed + unchanged }
    }

    private static let batchSize = 500

    private let context: WriteContext
    private let progress: (Int) -> Void
    private var report = Report()

    /// Imports all records in one write: a file that breaks a rule of the model leaves the store as
    /// it was, and so does a process that is stopped.
    ///
    /// - Parameters:
    ///   - file: The records. Rows that the file does not name stay as they are.
    ///   - dal: The store.
    ///   - progress: Called after each batch with the number of finished records.
    static func run(
        _ file: ShopFile, on dal: DataAccessLayer, progress: @escaping @Sendable (Int) -> Void
    ) async throws -> Report {
        try await dal.write { context in
            var importer = ShopImporter(context, progress)
            try importer.store(file)
            return importer.report
        }
    }

    private init(_ context: WriteContext, _ progress: @escaping (Int) -> Void) {
        self.context = context
        self.progress = progress
    }

    private mutating func store(_ file: ShopFile) throws {
        try store(file.genre)
        try store(file.mediaType)
        try store(file.artist)
        try store(file.album)
        try store(file.track)
        try store(file.employee)
        try store(file.customer)
        try store(file.invoice)
        try store(file.invoiceLine)
        try store(file.playlist)
        try store(file.playlistTrack)
    }

    private mutating func store<Record: ShopRecord>(_ records: [Record]) throws {
        let rows = records.map(\.row)
        try Record.check(rows)
        for start in stride(from: 0, to: rows.count, by: Self.batchSize) {
            let batch = rows[start..<min(start + Self.batchSize, rows.count)]
            let outcome = try Record.store(batch, in: context)
            report.inserted += outcome.inserted.count
            report.changed += outcome.updated.count
            report.unchanged += outcome.unchanged.count
            progress(report.finished)
        }
    }
}
#endif
