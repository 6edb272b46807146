import Foundation
import GRDB
import SkiathosStore
import Testing

@testable import SkiathosSQLite

/// Files that another program has made or changed, opened in each way.
///
/// Either a named error says what is wrong and the file is as it was, or the store answers as one
/// that the package has made.
@Suite struct ForeignFileTests {
    /// The codes that name what is wrong with a file.
    private static let named: Set<StoreError.Code> = [
        .foreignDatabase, .newerStore, .schemaMismatch, .damaged, .notADatabase, .migrationFailed,
    ]

    private func files(_ directory: TemporaryDirectory) throws -> [Data?] {
        try ["store.sqlite", "store.sqlite-wal", "store.sqlite-journal"].map { name in
            guard FileManager.default.fileExists(atPath: directory.file(name)) else { return nil }
            let bytes = try directory.bytes(name)
            // A connection that only reads leaves an empty WAL behind.
            return bytes.isEmpty ? nil : bytes
        }
    }

    /// Runs a closure on a file, and returns the error by which the file was refused.
    private func refusal(
        _ directory: TemporaryDirectory, _ what: String, _ body: () throws -> Void
    ) throws -> StoreError? {
        let before = try files(directory)
        do {
            try body()
            return nil
        } catch let error as StoreError {
            #expect(Self.named.contains(error.code), "\(what): \(error)")
            #expect(try files(directory) == before, "\(what) changed a file that was refused")
            return error
        }
    }

    /// Opens the file in each way, writing last.
    private func check(
        _ directory: TemporaryDirectory, _ change: ForeignChange, isEmpty: Bool
    ) throws {
        let path = directory.file()
        let source = StoreSource.sqlite(path)
        let schema = try StoreSchema(ShelfStore.all)
        let before = try files(directory)

        var isPlanned = false
        _ = try refusal(directory, "the plan") {
            isPlanned = try source.plan(schema, StoreOptions()).isApplicable
        }
        var isRehearsed = false
        _ = try refusal(directory, "the rehearsal") {
            let rehearsal = try source.rehearse(schema, StoreOptions())
            isRehearsed = rehearsal.failure == nil
            if let failure = rehearsal.failure { throw failure }
        }
        _ = try refusal(directory, "opening for reading") {
            let store = try ShelfStore.open(path, StoreOptions(isReadOnly: true))
            let faults = Result { try ShelfStore.faults(reading: store) }
            try store.close()
            #expect(try faults.get() == [], "read only")
        }
        let other = try TemporaryDirectory()
        _ = try refusal(directory, "restoring") {
            let store = try ShelfStore.open(other.file())
            defer { try? store.close() }
            try store.transaction { _ = try $0.restore(from: path) { _ in } }
            #expect(try ShelfStore.faults(reading: store) == [], "restored")
        }
        #expect(try files(directory) == before, "what only reads has changed the file")

        var isOpened = false
        let error = try refusal(directory, "opening for writing") {
            let store = try ShelfStore.open(path)
            isOpened = true
            let faults = Result {
                if isEmpty { try ShelfStore.fill(store) }
                return try ShelfStore.faults(reading: store)
                    + ShelfStore.faults(writing: store, other)
            }
            try store.close()
            #expect(try faults.get() == [], "written")
        }
        // What only going through all rows shows may come out later.
        if isOpened { #expect(error == nil || error?.code == .damaged) }
        #expect(
            isOpened == isPlanned || error?.code == .migrationFailed,
            "the plan says \(isPlanned), opening \(error as Any)")
        #expect(
            isOpened == isRehearsed, "the rehearsal says \(isRehearsed), opening \(error as Any)")
        if let isTaken = change.isTaken { #expect((error == nil) == isTaken, "\(error as Any)") }
        if error == nil {
            let store = try ShelfStore.open(path)
            try store.close()
        }
    }

    @Test(arguments: ForeignChange.emptyFiles)
    func `a file without tables is refused or becomes a sound store`(_ change: ForeignChange) throws
    {
        let directory = try TemporaryDirectory()
        try change.make(at: directory.file())
        try check(directory, change, isEmpty: true)
    }

    @Test(arguments: ForeignChange.changedStores)
    func `a store that another program has changed is refused or sound`(
        _ change: ForeignChange
    )
        throws
    {
        let directory = try TemporaryDirectory()
        try ShelfStore.make(at: directory.file())
        try change.make(at: directory.file())
        try check(directory, change, isEmpty: false)
    }
}
