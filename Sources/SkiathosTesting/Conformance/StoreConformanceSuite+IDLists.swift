import SkiathosStore

extension StoreConformanceSuite {
    /// More IDs than a backend need keep in memory.
    private static let count: Int64 = 5_000

    var listChecks: [ConformanceCheck] {
        [
            check("a list of IDs gives them in their order, whatever becomes of the transaction") {
                shelf in
                let kinds: [(Int64) -> StoreValue] = [
                    { .integer($0) }, { .text("é\($0)") }, { .blob([0, UInt8($0 & 255)]) },
                ]
                func id(_ number: Int64) -> StoreValue { kinds[Int(number % 3)](number) }
                var list: (any StoreIDList)?
                // Undone, which the list does not notice.
                _ = try? shelf.write { session in
                    let fresh = session.makeIDList()
                    for number in 0..<Self.count { try fresh.append(id(number)) }
                    list = fresh
                    throw Unexpected(description: "the transaction is undone")
                }
                guard let list else { throw Unexpected(description: "there is no list") }
                var found: [StoreValue] = []
                while true {
                    let next = try list.next(700)
                    found += next
                    if next.isEmpty { break }
                    let left = Int(Self.count) - found.count
                    try require(
                        next.count == 700 || left == 0, "found \(next.count), with \(left) left")
                }
                try requireEqual(found, (0..<Self.count).map(id))
            }
        ]
    }
}
