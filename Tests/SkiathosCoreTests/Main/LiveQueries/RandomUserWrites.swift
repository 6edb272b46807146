import Skiathos
import TestSupport

@testable import SkiathosCore

/// Random writes of users: each column alone or with others, by objects, by conditions and by delete
/// rules, rows that go and come back, and writes that are refused.
struct RandomUserWrites {
    struct Refused: Error {}

    private var generator: SeededNumbers

    init(seed: UInt64) { generator = SeededNumbers(seed: seed) }

    /// The next write.
    mutating func next() -> @Sendable (WriteContext) throws -> Void {
        let seed = generator.next()
        return { context in
            var steps = RandomUserWrites(seed: seed)
            for _ in 0..<Int.random(in: 1...3, using: &steps.generator) {
                try steps.step(context)
            }
            if Int.random(in: 0..<15, using: &steps.generator) == 0 { throw Refused() }
        }
    }

    private mutating func step(_ context: WriteContext) throws {
        let age = Int.random(in: 0..<6, using: &generator)
        let name = RandomWrites.names.randomElement(using: &generator) ?? ""
        let user = try User.all(in: context).randomElement(using: &generator)
        switch Int.random(in: 0..<14, using: &generator) {
        case 0, 1, 2: try User.add(in: context) { change(&$0, .all) }
        case 3, 4, 5, 6:
            guard let user else { return }
            var columns = ColumnSet(bits: generator.next())
            if Bool.random(using: &generator) { columns.formIntersection([5, 6]) }
            change(user, columns)
        case 7: try user?.delete()
        case 8:
            guard let user else { return }
            var value = user.value
            try user.delete()
            _ = try User.count(in: context)
            change(&value, ColumnSet(bits: generator.next()))
            try User.create(id: value.id, in: context) { $0 = value }
        case 9:
            _ = try User.update(
                where: { $0.age == age }, set: { [$0.score.set(to: Double(age))] }, in: context)
        case 10:
            _ = try User.update(
                where: { $0.firstname == name }, set: { [$0.age.set(to: age)] }, in: context)
        case 11:
            _ = try User.deleteAll(where: { $0.age == age && $0.firstname == name }, in: context)
        case 12:
            // Its users lose their company, or a user gets one.
            if let company = try Company.all(in: context).first, age < 2 {
                try company.delete()
            } else if let user {
                let number = generator.next()
                user.company = try Company.create(in: context) { $0.name = "\(number)" }.id
            }
        default:
            let seed = generator.next()
            try? context.nested { context in
                var steps = RandomUserWrites(seed: seed)
                try steps.step(context)
                if age < 3 { throw Refused() }
            }
        }
    }

    /// Changes some columns of an object.
    private mutating func change(_ user: Managed<User>, _ columns: ColumnSet) {
        var value = user.value
        change(&value, columns)
        user.firstname = value.firstname
        user.email = value.email
        user.age = value.age
        user.score = value.score
        user.role = value.role
    }

    /// Changes some columns.
    private mutating func change(_ user: inout User, _ columns: ColumnSet) {
        if columns.contains(1) {
            user.firstname = RandomWrites.names.randomElement(using: &generator) ?? ""
        }
        if columns.contains(3) {
            user.email = Bool.random(using: &generator) ? nil : "\(generator.next() % 97)"
        }
        if columns.contains(4) { user.age = Int.random(in: 0..<6, using: &generator) }
        if columns.contains(5) { user.score = Double(Int.random(in: -2..<3, using: &generator)) }
        if columns.contains(6) {
            user.role = [.guest, .member, .owner].randomElement(using: &generator) ?? .guest
        }
    }
}
