import Skiathos
import SkiathosStore
import TestSupport
import Testing

@testable import SkiathosCore

@Suite(.generousTimeLimit) struct UnitRegistryTests {
    @Test func `each write stores its own changes, however many entities the one before it had`()
        async throws
    {
        let seed = UInt64.random(in: .min ... .max)
        try await withStore(.file) { dal in
            var random = SeededNumbers(seed: seed)
            var (users, companies) = (0, 0)
            for round in 0..<200 {
                // Users, companies, both in either order, or none.
                let order = [true, false].shuffled(using: &random)
                let steps = Array(order.prefix(Int(random.next() % 3)))
                let isRefused = random.next() % 4 == 0
                let isFlushed = random.next() % 4 == 0
                struct Refusal: Error {}
                do {
                    try await dal.write { context in
                        for isUser in steps {
                            if isUser {
                                try User.create(in: context) { $0.age = round }
                            } else {
                                try Company.create(in: context) { $0.name = "\(round)" }
                            }
                            if isFlushed { _ = try User.count(in: context) }
                        }
                        if isRefused { throw Refusal() }
                    }
                    users += steps.count { $0 }
                    companies += steps.count { !$0 }
                } catch is Refusal {}
                let counts = try await dal.read { context in
                    (try User.count(in: context), try Company.count(in: context))
                }
                #expect(counts == (users, companies), "seed \(seed), round \(round)")
            }
        }
    }

    @Test(arguments: [1, 2])
    func `the only pending unit is known, whatever the write before it used`(
        count: Int
    ) async throws {
        try await withStore(.file) { dal in
            try await dal.write { context in
                let unit = try context.unit(of: User.self)
                #expect(context.registry.last(of: User.self) === unit)
                guard count > 1 else { return }
                _ = try context.unit(of: Company.self)
                #expect(context.registry.last(of: User.self) == nil)
            }
            try await dal.write { context in
                #expect(context.registry.last(of: User.self) == nil)
                #expect(context.registry.last(of: Company.self) == nil)
                _ = try context.unit(of: User.self)
                let position = try context.position(of: User.self)
                #expect(context.registry.pending.count == 0)
                #expect(context.registry.pending.unit == nil)
                try User.create(in: context)
                #expect(context.registry.pending.count == 1)
                #expect(context.registry.pending.unit?.entity == position)
                _ = try context.unit(of: Company.self)
                #expect(context.registry.pending.unit?.entity == position)
                try Company.create(in: context)
                #expect(context.registry.pending.count == 2)
                #expect(context.registry.pending.unit == nil)
            }
        }
    }
}
