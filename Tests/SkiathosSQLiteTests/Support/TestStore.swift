import Foundation
import SkiathosSQLite
import SkiathosStore
import Testing

/// A directory of its own for one test, removed with everything in it.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "skiathos-sqlite-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String = "store.sqlite") -> String { path + "/" + name }

    func bytes(_ name: String = "store.sqlite") throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: file(name)))
    }

    @discardableResult
    func write(_ data: Data, _ name: String = "store.sqlite") throws -> String {
        try data.write(to: URL(fileURLWithPath: file(name)))
        return file(name)
    }

    func open(
        _ entities: [EntitySchema] = TestEntities.all, _ options: StoreOptions = StoreOptions()
    ) throws -> any PersistentStore {
        try StoreSource.sqlite(file()).open(try TestEntities.schema(entities), options)
    }
}

/// The two kinds of store that most tests run on.
enum StoreKind: CaseIterable, CustomTestStringConvertible {
    case file, memory

    var testDescription: String { self == .file ? "file" : "memory" }

    /// Opens an empty store for a closure, closes it and removes it.
    func withStore<R>(
        _ entities: [EntitySchema] = TestEntities.all, _ body: (any PersistentStore) throws -> R
    ) throws -> R {
        let directory = try TemporaryDirectory()
        let source = self == .file ? StoreSource.sqlite(directory.file()) : .inMemory
        let store = try source.open(try TestEntities.schema(entities), StoreOptions())
        let result = try body(store)
        #expect(try store.anyReader.read { try $0.integrityProblems() } == [])
        try store.close()
        withExtendedLifetime(directory) {}
        return result
    }
}

extension PersistentStore {
    var anyReader: any StoreReader { readers.first ?? writer }

    func position(_ type: Any.Type) -> Int {
        guard let position = schema.position(of: type) else {
            preconditionFailure("\(type) is not in the schema of this test.")
        }
        return position
    }

    /// Runs a closure in a transaction of its own.
    func transaction<R>(_ body: (any StoreWriteSession) throws -> R) throws -> R {
        try writer.withSession { session in
            try session.begin()
            do {
                let result = try body(session)
                try session.checkReferences()
                try session.commit()
                if session.checkpointNeed != .none { try session.checkpoint() }
                return result
            } catch {
                try session.rollback()
                throw error
            }
        }
    }

    func insert(_ type: Any.Type, _ rows: [StoreValue]...) throws {
        let entity = position(type)
        try transaction { try $0.apply([.insert(entity: entity, Rows(rows))]) }
    }

    func rows(_ request: FetchRequest) throws -> [[StoreValue]] {
        let columns = schema.entities[request.entity].columns
        return try anyReader.read { session in
            try collect(columns) { try session.fetch(request, $0) }
        }
    }

    func all(_ type: Any.Type) throws -> [[StoreValue]] {
        try rows(
            FetchRequest(entity: position(type), order: [.init(.column(0), descending: false)]))
    }

    func ids(
        _ type: Any.Type, where predicate: StorePredicate? = nil,
        order: [FetchRequest.Order] = [], limit: Int? = nil, offset: Int = 0
    ) throws -> [Int64] {
        let request = FetchRequest(
            entity: position(type), predicate: predicate, order: order, limit: limit,
            offset: offset)
        return try anyReader.read { session in
            var ids: [Int64] = []
            try session.fetch(ProjectionRequest([.column(0)], of: request)) { cursor in
                while cursor.next() { ids.append(cursor.row.integer(at: 0)) }
            }
            return ids
        }
    }
}

/// Reads all rows as plain values.
func collect(
    _ columns: [ColumnSchema], _ fetch: ((inout RowCursor) throws -> Void) throws -> Void
) throws -> [[StoreValue]] {
    var rows: [[StoreValue]] = []
    try fetch { cursor in
        while cursor.next() {
            rows.append(columns.indices.map { cursor.row.storeValue(columns[$0].storage, at: $0) })
        }
    }
    return rows
}

extension RowReader {
    func storeValue(_ storage: StorageClass, at column: Int) -> StoreValue {
        if isNull(at: column) { return .null }
        return switch storage {
        case .integer: .integer(integer(at: column))
        case .real: .real(real(at: column))
        case .text, .decimal: .text(text(at: column) ?? "")
        case .blob: withBytes(at: column) { .blob(Array($0)) }
        }
    }
}

/// A row of `user`.
func user(
    _ id: Int64, _ firstname: String = "Ada", email: String? = nil, age: Int64 = 30,
    score: Double? = nil, photo: [UInt8]? = nil, balance: String? = nil, company: Int64? = nil
) -> [StoreValue] {
    [
        .integer(id), .text(firstname), email.map { .text($0) } ?? .null, .integer(age),
        score.map { .real($0) } ?? .null, photo.map { .blob($0) } ?? .null,
        balance.map { .text($0) } ?? .null, company.map { .integer($0) } ?? .null,
    ]
}

/// The error that a closure throws, which must be a `StoreError`.
func storeError(
    _ code: StoreError.Code, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
) throws -> StoreError {
    let error = try #require(throws: StoreError.self, sourceLocation: sourceLocation) {
        try body()
    }
    #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
    return error
}
