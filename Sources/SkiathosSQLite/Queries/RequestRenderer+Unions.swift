import SkiathosStore

/// Unions as SQL.
///
/// A compound select of SQLite's own would not say which part a row comes from.
extension RequestRenderer {
    /// The results of several requests together, each followed by the number of its part.
    func union(_ request: UnionRequest) throws -> SQLText {
        let storages = try storages(of: request)
        let names = storages.indices.map { "\"skiathos_result_\($0)\"" }
        let list = names.joined(separator: ", ")
        var text = SQLText("WITH ")
        for (number, part) in request.parts.enumerated() {
            text.append("\(number > 0 ? ", " : "")\(Self.part(number)) (\(list)) AS (")
            text.append(try project(part))
            text.append(")")
        }
        func rows(_ parts: Range<Int>) -> String {
            parts.map { "SELECT \(list), \($0) AS \(Self.origin) FROM \(Self.part($0))" }
                .joined(separator: " UNION ALL ")
        }
        let count = request.parts.count
        let distinct = min(max(0, request.distinctParts), count)
        var sources: [String] = []
        if distinct > 0 {
            let keys = zip(names, storages).map(Self.collated).joined(separator: ", ")
            sources.append(
                "SELECT \(list), min(\(Self.origin)) AS \(Self.origin) FROM (\(rows(0..<distinct))) GROUP BY \(keys)"
            )
        }
        if distinct < count { sources.append(rows(distinct..<count)) }
        text.append(
            " SELECT \(list), \(Self.origin) FROM (\(sources.joined(separator: " UNION ALL ")))")
        appendOrder(of: request, names, storages, to: &text)
        return text
    }

    private static let origin = "\"skiathos_origin\""

    private static func part(_ number: Int) -> String { "\"skiathos_part_\(number)\"" }

    private static func collated(_ name: String, _ storage: StorageClass) -> String {
        storage == .decimal ? "\(name) COLLATE \(DecimalOrder.collation)" : name
    }

    private func appendOrder(
        of request: UnionRequest, _ names: [String], _ storages: [StorageClass],
        to text: inout SQLText
    ) {
        guard !request.order.isEmpty || request.limit != nil || request.offset > 0 else { return }
        let chosen = request.order.map(\.result)
        let ties = names.indices.filter { !chosen.contains($0) }
        let keys =
            request.order.map {
                Self.collated(names[$0.result], storages[$0.result])
                    + ($0.descending ? " DESC" : "")
            } + ties.map { Self.collated(names[$0], storages[$0]) } + [Self.origin]
        text.append(" ORDER BY \(keys.joined(separator: ", "))")
        guard request.limit != nil || request.offset > 0 else { return }
        // A negative limit is none.
        text.append(" LIMIT ")
        text.append(.integer(request.limit.map { Int64(max(0, $0)) } ?? -1))
        guard request.offset > 0 else { return }
        text.append(" OFFSET ")
        text.append(.integer(Int64(request.offset)))
    }

    /// How the results are kept, which must be the same in all parts.
    private func storages(of request: UnionRequest) throws -> [StorageClass] {
        let all = try request.parts.map { part in
            let renderer = RowRenderer(self, entity: part.rows.entity, SQLText())
            return try part.results.map { try renderer.storage(of: $0) }
        }
        guard let first = all.first, !first.isEmpty, all.allSatisfy({ $0 == first }),
            request.order.allSatisfy({ first.indices.contains($0.result) })
        else {
            throw StoreError(
                .invalidRequest,
                "A union joins results that are kept differently: \(all.map { $0.map(\.rawValue).joined(separator: ", ") }.joined(separator: "; ")). Select the same number of results of the same types in every part."
            )
        }
        return first
    }
}
