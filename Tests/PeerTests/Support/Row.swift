#if Requests && Macros
import DataRequestPersistence
import DataRequestService
import Skiathos
import SkiathosTesting

/// A row that a server has.
struct RowRecord: Decodable, Sendable {
    var number: Int
}

/// What becomes of it.
@Entity struct Row {
    @Unique var number = 0
}

/// Syncs rows whose pages are linked into an empty store; gives their numbers, and how many pages came.
func rows(
    of request: DataRequest, over service: DataRequestService
) async throws -> (numbers: [Int], pages: Int) {
    try await withStore(.inMemory, entities: [Row.self] + DataRequestEntities.all) { store in
        var options = SyncOptions<Row>()
        options.pages = .linkHeader
        let report = try await store.sync(
            Row.self, from: request, over: service, by: \.number, options: options
        ) { (record: RowRecord, _) in
            var row = Row(id: .unassigned)
            row.number = record.number
            return row
        }
        let numbers = try await store.read {
            try Row.all(orderedBy: { [$0.number.ascending] }, in: $0).map(\.number)
        }
        return (numbers, report.pages)
    }
}
#endif
