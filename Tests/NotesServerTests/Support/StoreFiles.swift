#if Macros && Requests
import Foundation
import Skiathos
import SkiathosTesting

@testable import NotesServerKit

/// The files of a store that a server works on, in a directory of their own.
struct StoreFiles {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    var path: String { directory.file("notes.sqlite") }

    /// The size of the write-ahead log; 0 if there is none, as after closing.
    var logSize: Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path + "-wal")
        return attributes?[.size] as? Int ?? 0
    }

    /// The notes that the store holds, as they are served.
    ///
    /// - Throws: `UnsoundStore` if the store is damaged, `StoreError` if a server has it open.
    func notes() async throws -> [Note] {
        let notes = try await withStore(.sqlite(path), entities: Note.self) { dal in
            try await dal.read { try Note.all(orderedBy: { [$0.id.ascending] }, in: $0) }
        }
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        return try JSONDecoder.ofAnswers.decode([Note].self, from: try encoder.encode(notes))
    }
}
#endif
