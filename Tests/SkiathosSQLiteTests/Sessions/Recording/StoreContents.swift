import SkiathosStore
import Testing

/// The rows of all entities of a store: by entity, then by ID.
struct StoreContents: Equatable {
    private(set) var rows: [[StoreValue: [StoreValue]]]

    init(_ session: any StoreSession, _ schema: StoreSchema) throws {
        rows = try schema.entities.indices.map { entity in
            let columns = schema.entities[entity].columns
            let found = try collect(columns) {
                try session.fetch(FetchRequest(entity: entity), $0)
            }
            return Dictionary(uniqueKeysWithValues: found.map { ($0[0], $0) })
        }
    }

    /// Applies a change, whose old row must be there, and whose new one must not.
    mutating func apply(_ change: StoreRowChange) throws {
        if let before = change.before {
            try #require(rows[change.entity].removeValue(forKey: before[0]) == before)
        }
        if let after = change.after {
            try #require(rows[change.entity].updateValue(after, forKey: after[0]) == nil)
        }
    }

    /// Removes what is not known of some entities.
    mutating func forget(_ entities: Set<Int>) { for entity in entities { rows[entity] = [:] } }
}

extension PersistentStore {
    /// The record of all entities in a transaction, after it was compared with the rows.
    func recorded(
        limit: RecordingLimit = RecordingLimit(), sourceLocation: SourceLocation = #_sourceLocation,
        _ body: (any StoreWriteSession) throws -> Void
    ) throws -> RecordedRowChanges {
        try transaction { session in
            try record(session, limit: limit, sourceLocation: sourceLocation) { try body(session) }
        }
    }

    /// The record of all entities inside of a transaction, after it was compared with the rows.
    func record(
        _ session: any StoreWriteSession, limit: RecordingLimit = RecordingLimit(),
        sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
    ) throws -> RecordedRowChanges {
        var contents = try StoreContents(session, schema)
        let record = try session.recordingChanges(
            of: Set(schema.entities.indices), limit: limit, body)
        let changes = try #require(record, sourceLocation: sourceLocation)
        for change in changes.changes { try contents.apply(change) }
        guard session.isInTransaction else { return changes }
        var after = try StoreContents(session, schema)
        contents.forget(changes.incomplete)
        after.forget(changes.incomplete)
        #expect(contents == after, sourceLocation: sourceLocation)
        return changes
    }
}
