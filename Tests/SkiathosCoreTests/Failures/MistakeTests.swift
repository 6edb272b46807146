import Foundation
import Skiathos
import Testing

/// Mistakes that only show when a query runs, each with its own sentence.
struct MistakeTests {
    @Test(arguments: [
        (Mistake({ try User.count(where: { $0.age.sum > 3 }, in: $0) }), ["having"]),
        (
            Mistake({
                try User.grouped { $0.lastname }.having { $0.age > 3 }.select { $0.id.count }
                    .all(in: $0)
            }), ["aggregate"]
        ),
        (Mistake({ try User.update(set: { _ in [] }, in: $0) }), ["changes no column", "set(to:"]),
        (
            Mistake({ try User.update(set: { $0.id.set(to: 3) }, in: $0) }),
            ["sets the ID", "final"]
        ),
        (
            Mistake({
                try User.update(
                    set: {
                        $0.age.set(to: 3)
                        $0.age.add(1)
                    }, in: $0)
            }), ["sets \"age\" twice"]
        ),
        (Mistake({ try User.query.limit(-1).all(in: $0) }), ["The limit is -1", "negative"]),
    ])
    func `a mistake is named with what to do about it`(
        _ mistake: Mistake, _ words: [String]
    ) async throws {
        try await withStore(.memory) { dal in
            let error = await #expect(throws: (any Error).self) {
                try await dal.write { try mistake.run($0) }
            }
            let message = error.map { "\($0)" } ?? ""
            for word in words { #expect(message.contains(word), "\(message)") }
        }
    }
}

struct Mistake: Sendable {
    let run: @Sendable (WriteContext) throws -> Void

    init<R>(_ run: @escaping @Sendable (WriteContext) throws -> R) {
        self.run = { _ = try run($0) }
    }
}
