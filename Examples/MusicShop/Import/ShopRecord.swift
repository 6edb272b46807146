#if Macros
import Skiathos

/// What the file says about one row, under the names that the file has.
protocol ShopRecord: Decodable, Sendable {
    /// The entity that it becomes.
    associatedtype Row: Entity where Row.RawID == Int64
    /// The row, with the ID of the file.
    var row: Row { get }
    /// Throws a `ShopFileProblem` if the IDs of rows cannot be used.
    static func check(_ rows: [Row]) throws
    /// Stores rows, each as a new one or in the place of the one that there is.
    static func store(_ rows: ArraySlice<Row>, in context: WriteContext) throws -> UpsertReport<Row>
}

extension ShopRecord {
    static func check(_ rows: [Row]) throws {
        guard rows.allSatisfy({ $0.id.rawValue > 0 }), Set(rows.map(\.id)).count == rows.count
        else {
            throw ShopFileProblem(
                "The records of \(Row.self) in the file must have IDs above 0, each its own.")
        }
    }

    static func store(
        _ rows: ArraySlice<Row>, in context: WriteContext
    ) throws -> UpsertReport<Row> {
        try Row.upsert(rows, in: context)
    }
}

extension String {
    /// The text, or `nil` if it is empty: so the file says that something is not known.
    var ifNotEmpty: String? { isEmpty ? nil : self }
}
#endif
