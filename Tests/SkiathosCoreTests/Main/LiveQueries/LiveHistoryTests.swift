import Skiathos
import SkiathosStore
import TestSupport
import Testing

@testable import SkiathosCore

/// After every commit of a random history, each live result equals a fresh query.
@Suite(.generousTimeLimit) struct LiveHistoryTests {
    @Test(arguments: Place.allCases, Seed.each(1, 2, 3, 4, 5, 6, 7, 8))
    func `live results follow a random history`(_ place: Place, _ seed: UInt64) async throws {
        try await withSeed(seed) {
            var configuration = Configuration.patient
            configuration.errorHandler = { _ in }
            try await withNotes(place, configuration: configuration) { dal in
                var generator = SeededNumbers(seed: seed)
                var writes = RandomWrites(seed: seed &+ 1)
                try await writes.run(on: dal, count: 3)
                var observed: [ObservedResult] = []
                for _ in 0..<6 { observed.append(.random(of: dal, &generator)) }
                for result in observed { try await result.begin(dal) }
                for _ in 0..<40 {
                    try await writes.run(on: dal, count: Int.random(in: 1...3, using: &generator))
                    try await dal.flush(to: .committed)
                    for result in observed where Int.random(in: 0..<4, using: &generator) > 0 {
                        try await result.follow(dal)
                    }
                    if Int.random(in: 0..<6, using: &generator) == 0 {
                        let position = Int.random(in: observed.indices, using: &generator)
                        observed[position] = .random(of: dal, &generator)
                        try await observed[position].begin(dal)
                    }
                }
                for result in observed { try await result.follow(dal) }
            }
        }
    }
}

/// An observed result, with the same result as a fresh read has it.
final class ObservedResult {
    private let name: String
    private let fresh: @Sendable (ReadContext) throws -> String
    private let next: () async throws -> String?
    private var last: String?

    private init(
        _ name: String, _ fresh: @escaping @Sendable (ReadContext) throws -> String,
        next: @escaping () async throws -> String?
    ) {
        self.name = name
        self.fresh = fresh
        self.next = next
    }

    /// Requires the first value to be the present one.
    func begin(_ dal: DataAccessLayer) async throws {
        let expected = try await dal.read(fresh)
        last = try await next()
        #expect(last == expected, "\(name)")
    }

    /// Requires the next value, if there has to be one.
    func follow(_ dal: DataAccessLayer) async throws {
        let expected = try await dal.read(fresh)
        guard expected != last else { return }
        last = try await next()
        #expect(last == expected, "\(name)")
    }

    /// Observes a random query.
    static func random(
        of dal: DataAccessLayer, _ generator: inout SeededNumbers
    ) -> ObservedResult {
        let age = Int.random(in: 0..<6, using: &generator)
        let name = RandomWrites.names.randomElement(using: &generator) ?? ""
        let id = User.ID(rawValue: Int64.random(in: 1...8, using: &generator))
        switch Int.random(in: 0..<12, using: &generator) {
        case 0: return query(User.where { $0.age >= age }, of: dal)
        case 1: return query(User.where { $0.firstname == name }.order { $0.age }, of: dal)
        case 2: return query(User.order { $0.age.descending }.limit(3), of: dal)
        case 3: return query(User.where { $0.company.name == name }, of: dal)
        case 4:
            return query(User.where { $0.age < age || $0.email == nil }.offset(1).limit(2), of: dal)
        case 5: return row(id, of: dal)
        case 6: return value(of: dal, "count") { try User.count(where: { $0.age == age }, in: $0) }
        case 7: return value(of: dal, "exists") { try User.exists(where: { $0.age > age }, in: $0) }
        case 8:
            return value(of: dal, "sum") { context in
                try User.where { $0.firstname == name }.sum(of: { $0.age }, in: context)
            }
        case 9:
            return value(of: dal, "closure") { context in
                guard let user = try User.find(id, in: context) else { return "none" }
                guard let company = user.company else { return "\(user.age)" }
                return try Company.find(company, in: context)?.name ?? "no company"
            }
        case 10: return value(of: dal, "ids") { try User.ids(where: { $0.age >= age }, in: $0) }
        default: return group(age, of: dal)
        }
    }

    private static func query<E: Entity>(
        _ query: Query<E>, of dal: DataAccessLayer
    ) -> ObservedResult {
        var iterator = dal.observe(query).makeAsyncIterator()
        return ObservedResult("\(query)", { "\(try query.all(in: $0))" }) {
            try await iterator.next().map { "\($0)" }
        }
    }

    private static func row(_ id: User.ID, of dal: DataAccessLayer) -> ObservedResult {
        var iterator = dal.observe(id).makeAsyncIterator()
        return ObservedResult("\(id)", { "\(String(describing: try User.find(id, in: $0)))" }) {
            try await iterator.next().map { "\(String(describing: $0))" }
        }
    }

    private static func value<Value: Equatable & Sendable>(
        of dal: DataAccessLayer, _ name: String,
        _ read: @escaping @Sendable (ReadContext) throws -> Value
    ) -> ObservedResult {
        var iterator = dal.observe(read).makeAsyncIterator()
        return ObservedResult(name, { "\(try read($0))" }) {
            try await iterator.next().map { "\($0)" }
        }
    }

    /// Both sides of a condition, which make up all users at any version.
    private static func group(_ age: Int, of dal: DataAccessLayer) -> ObservedResult {
        let old = User.where { $0.age >= age }
        let young = User.where { $0.age < age }
        var iterator = dal.observe(old, young).makeAsyncIterator()
        return ObservedResult(
            "group \(age)", { "\(try old.all(in: $0)) \(try young.all(in: $0))" }
        ) {
            try await iterator.next().map { "\($0.0) \($0.1)" }
        }
    }
}
