import Skiathos
import TestSupport

@testable import SkiathosCore

/// Random writes of users and companies: by objects, set-based, by delete rules and upserts, nested,
/// failing, and acknowledged at each level.
struct RandomWrites {
    private struct Refused: Error {}

    static let names = ["", "a", "b", "é", "Ab"]

    private var generator: SeededNumbers

    init(seed: UInt64) { generator = SeededNumbers(seed: seed) }

    /// Runs some writes, of which a few fail and change nothing.
    mutating func run(on dal: DataAccessLayer, count: Int) async throws {
        for _ in 0..<count {
            let level = Acknowledgement.allCases.randomElement(using: &generator) ?? .committed
            let seed = generator.next()
            do {
                try await dal.write(acknowledging: level) { context in
                    var steps = RandomWrites(seed: seed)
                    try steps.change(context)
                }
            } catch is Refused {
                // Nothing of it was committed.
            } catch let error as StoreError where error.code == .uniqueViolation {
                // Two users with the same names and age.
            }
        }
        if Int.random(in: 0..<30, using: &generator) == 0 { try await dal.reset() }
    }

    private mutating func change(_ context: WriteContext) throws {
        for _ in 0..<Int.random(in: 1...3, using: &generator) { try step(context) }
        // Some writes look at their changes, and so have a transaction of their own.
        if Int.random(in: 0..<3, using: &generator) == 0 { _ = try User.count(in: context) }
        if Int.random(in: 0..<12, using: &generator) == 0 { throw Refused() }
    }

    private mutating func step(_ context: WriteContext) throws {
        let name = Self.names.randomElement(using: &generator) ?? ""
        let age = Int.random(in: 0..<6, using: &generator)
        let number = Int.random(in: 0..<1_000, using: &generator)
        switch Int.random(in: 0..<12, using: &generator) {
        case 0, 1:
            let company = try Company.all(in: context).randomElement(using: &generator)
            try User.create(in: context) {
                $0.firstname = name
                $0.lastname = "\(number)"
                $0.age = age
                $0.company = age > 2 ? company?.id : nil
            }
        case 2:
            let id = "\(generator.next())"
            try Company.create(in: context) { $0.name = name + id }
        case 3, 4:
            guard let user = try user(context) else { return }
            user.age = age
            if number % 2 == 0 { user.firstname = name }
            if number % 5 == 0 { user.email = number % 10 == 0 ? nil : "\(generator.next())" }
        case 5: try user(context)?.delete()
        case 6:
            guard let company = try Company.all(in: context).randomElement(using: &generator)
            else { return }
            if number % 3 == 0 { try company.delete() } else { company.name = "\(name)\(number)" }
        case 7:
            _ = try User.update(
                where: { $0.age == age }, set: { [$0.score.set(to: Double(number))] }, in: context)
        case 8:
            _ = try User.deleteAll(where: { $0.age == age && $0.firstname == name }, in: context)
        case 9:
            var company = Company()
            company.name = "\(name)\(number % 10)"
            try Company.upsert(company, by: \.name, in: context)
        case 10:
            // One name for all companies is refused, unless there is only one.
            _ = try? Company.update(set: { [$0.name.set(to: name)] }, in: context)
        default:
            let seed = generator.next()
            try? context.nested { context in
                var steps = RandomWrites(seed: seed)
                try steps.step(context)
                if number % 2 == 0 { throw Refused() }
            }
        }
    }

    private mutating func user(_ context: WriteContext) throws -> Managed<User>? {
        try User.all(in: context).randomElement(using: &generator)
    }
}
