import Skiathos
import TestSupport
import Testing

/// Random operations on the store and on a dictionary give the same.
struct ModelTests {
    @Test(.seeded, arguments: Place.allCases)
    func `random operations agree with a dictionary`(_ place: Place) async throws {
        try await withStore(place) { dal in
            var model = Model(seed: Seed.current)
            while model.steps < Rounds.of(10_000) {
                let script = model.nextWrite()
                do {
                    try await dal.write(acknowledging: script.level) { try script.run(in: $0) }
                    #expect(!script.fails)
                    model.commit(script)
                } catch is Script.Refused {
                    #expect(script.fails)
                }
                if model.writes % 50 == 0 {
                    let users = try await dal.read { try User.all(in: $0) }
                    let found = Dictionary(users.map { ($0.id.rawValue, $0.age) }) { $1 }
                    #expect(found == model.ages)
                }
            }
        }
    }
}

/// What one write does, decided beforehand.
struct Script: Sendable {
    enum Step: Sendable {
        case insert(Int64, age: Int)
        case set(Int64, age: Int)
        case delete(Int64)
        case deleteAll(from: Int)
        case addToAll(below: Int, Int)
        case nested([Step], fails: Bool)
        case check([Int64: Int])
    }
    struct Refused: Error {}
    struct Disagreement: Error {
        let expected: [Int64: Int]
        let found: [Int64: Int]
    }

    var steps: [Step]
    var fails: Bool
    var level: Acknowledgement
    /// The ages after the steps, if the write succeeds.
    var outcome: [Int64: Int]

    func run(in context: WriteContext) throws {
        for step in steps { try Self.run(step, in: context) }
        if fails { throw Refused() }
    }

    private static func run(_ step: Step, in context: WriteContext) throws {
        switch step {
        case .insert(let id, let age):
            try User.create(id: User.ID(rawValue: id), in: context) {
                $0.age = age
                $0.firstname = "\(id)"
            }
        case .set(let id, let age): try User.find(User.ID(rawValue: id), in: context)?.age = age
        case .delete(let id): try User.find(User.ID(rawValue: id), in: context)?.delete()
        case .deleteAll(let age): try User.deleteAll(where: { $0.age >= age }, in: context)
        case .addToAll(let age, let number):
            try User.update(where: { $0.age < age }, set: { [$0.age.add(number)] }, in: context)
        case .nested(let steps, let fails):
            do {
                try context.nested { inner in
                    for step in steps { try run(step, in: inner) }
                    if fails { throw Refused() }
                }
            } catch is Refused {}
        case .check(let expected):
            let users = try User.all(in: context)
            let found = Dictionary(users.map { ($0.id.rawValue, $0.age) }) { $1 }
            guard found == expected else { throw Disagreement(expected: expected, found: found) }
        }
    }
}

/// The dictionary, and the choice of what happens next.
private struct Model {
    private(set) var ages: [Int64: Int] = [:]
    private(set) var steps = 0
    private(set) var writes = 0
    private var nextID: Int64 = 1
    private var random: SeededNumbers

    init(seed: UInt64) { random = SeededNumbers(seed: seed) }

    mutating func nextWrite() -> Script {
        writes += 1
        var ages = ages
        let steps = nextSteps(&ages, depth: 0)
        return Script(
            steps: steps, fails: Int.random(in: 0..<5, using: &random) == 0, level: nextLevel(),
            outcome: ages)
    }

    /// Seldom one that syncs, which takes its time.
    private mutating func nextLevel() -> Acknowledgement {
        switch Int.random(in: 0..<20, using: &random) {
        case 0: .durable
        case 1..<10: .committed
        default: .merged
        }
    }

    mutating func commit(_ script: Script) { ages = script.outcome }

    private mutating func nextSteps(_ ages: inout [Int64: Int], depth: Int) -> [Script.Step] {
        (0..<Int.random(in: 1...8, using: &random)).map { _ in
            steps += 1
            return nextStep(&ages, depth: depth)
        }
    }

    private mutating func nextStep(_ ages: inout [Int64: Int], depth: Int) -> Script.Step {
        let age = Int.random(in: 0..<100, using: &random)
        let known = ages.keys.sorted().randomElement(using: &random)
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<8:
            let id = nextID
            nextID += Int64.random(in: 1...70, using: &random)
            ages[id] = age
            return .insert(id, age: age)
        case 8..<12:
            guard let known else { return .check(ages) }
            ages[known] = age
            return .set(known, age: age)
        case 12..<15:
            guard let known else { return .check(ages) }
            ages[known] = nil
            return .delete(known)
        case 15:
            let from = 60 + age
            ages = ages.filter { $0.value < from }
            return .deleteAll(from: from)
        case 16:
            ages = ages.mapValues { $0 < age ? $0 + 3 : $0 }
            return .addToAll(below: age, 3)
        case 17..<19 where depth < 3:
            var inner = ages
            let steps = nextSteps(&inner, depth: depth + 1)
            let fails = Bool.random(using: &random)
            if !fails { ages = inner }
            return .nested(steps, fails: fails)
        default: return .check(ages)
        }
    }
}
