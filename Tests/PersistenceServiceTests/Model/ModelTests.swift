import PersistenceService
import ReliabilityKit
import SkiathosLocks
import SkiathosStore
import SkiathosTesting
import TestSupport
import Testing

@Suite struct ModelTests {
    @Test(arguments: Seed.each(1, 2, 3, 4, 5, 6))
    func `three levels of services do what a simple model does`(_ seed: UInt64) async throws {
        try await withSeed(seed) { try await Self.check(seed) }
    }

    private static func check(_ seed: UInt64) async throws {
        try await withStore(seed % 3 == 0 ? .memory : .file) { dal in
            var run = ModelRun(dal, seed: seed)
            let steps = Rounds.of(2000)
            for step in 0..<steps {
                do {
                    try await run.step()
                } catch {
                    Issue.record("Step \(step), \(run.last): \(error)")
                    return
                }
            }
            // The run has been worth its time; a short one need not meet every kind of conflict.
            #expect(run.conflicts >= steps / 200, "\(run.conflicts) conflicts")
            #expect(run.undone >= steps / 200, "\(run.undone) steps undone or redone")
            #expect(run.kinds.count == 3 || steps < 2000, "\(run.kinds)")
        }
    }
}

/// What a service or the store holds that the model does not, or the other way round.
struct Difference: Error {
    let words: String
}

/// Does the same to three levels of services and to their model, and compares.
struct ModelRun {
    private let dal: DataAccessLayer
    private var services: [StorePersistenceService]
    private var model = Model()
    private var random: SeededNumbers
    /// The last step, in words.
    private(set) var last = "nothing"
    /// How many saves were refused because of conflicts, and how many steps were undone or
    /// redone.
    private(set) var conflicts = 0, undone = 0
    /// The kinds of these conflicts.
    private(set) var kinds: Set<Conflict.Kind> = []

    init(_ dal: DataAccessLayer, seed: UInt64) {
        self.dal = dal
        random = SeededNumbers(seed: seed)
        let root = StorePersistenceService(dal, undoLimit: 10_000)
        let child = root.child()
        services = [root, child, child.child()]
    }

    mutating func step() async throws {
        let level = pick(3)
        switch pick(32) {
        case 0..<6: try await outsiderWrites()
        case 6, 7: if model.view(level).count < 8 { try await create(level) }
        case 8..<19: try await update(level)
        case 19: try await delete(level)
        case 20: if pick(2) == 0 { try await deleteAll(level) }
        case 21..<25: try await save(level)
        case 25: if pick(3) == 0 { try await rollBack(level) }
        case 26, 27: try await undo(level)
        case 28, 29: try await redo(level)
        case 30: if pick(2) == 0 { try await fail(level) } else { try await enqueue(level) }
        default: if pick(3) == 0 { discard(level) }
        }
        try await compare(pick(4) - 1)
        if pick(8) == 0 { for level in -1...2 { try await compare(level) } }
    }

    private mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    /// Most changes stay pending for a while, and most saves go somewhere.
    private mutating func depth(saving: Bool = false) -> SaveDepth {
        if pick(8) > (saving ? 6 : 0) { return .keep }
        return ([.parent, .store] as [SaveDepth])[pick(2)]
    }

    private mutating func row() -> Model.Row { [pick(4), pick(4), pick(4)] }

    /// A row that the service of a level sees, mostly one that is pending somewhere: few rows
    /// that all services change lead to many conflicts.
    private mutating func someID(_ level: Int) -> Model.ID? {
        let view = model.view(level)
        let pending = model.spaces.flatMap(\.rows.keys).filter { view[$0] != nil }.sorted()
        if !pending.isEmpty, pick(4) > 0 { return pending[pick(pending.count)] }
        let ids = view.keys.sorted()
        return ids.isEmpty ? nil : ids[pick(ids.count)]
    }

    private mutating func outsiderWrites() async throws {
        last = "an outsider's write"
        let row = row()
        let id = someID(-1)
        let kind = pick(6)
        guard let id, kind != 0 || model.store.count >= 8 else {
            let new: Author.ID = try await dal.write { context in
                try Author.create(in: context) { $0.columns = row }.id
            }
            model.store[new.rawValue] = row
            return
        }
        let column = pick(3)
        if kind == 1 {
            try await dal.write { try Author.find(.init(rawValue: id), in: $0)?.delete() }
            model.store[id] = nil
        } else {
            try await dal.write { context in
                guard let author = try Author.find(.init(rawValue: id), in: context) else { return }
                author.columns[column] = row[column]
            }
            model.store[id]?[column] = row[column]
        }
    }

    private mutating func create(_ level: Int) async throws {
        let (row, depth, policy) = (row(), depth(), policy())
        last = "create at \(level) to \(depth) with \(policy)"
        var id: Model.ID?
        let result = await outcome { [service = services[level]] in
            let author = try await service.change(merging: policy.merging) { context in
                (try Author.create(in: context) { $0.columns = row }.id, depth)
            }
            return author.rawValue
        } as: {
            id = $0
        }
        var copy = model
        try expect(
            result,
            Result { try copy.change(level, depth, policy) { $0[id ?? .max] = row } })
        if id != nil { model = copy }
    }

    private mutating func update(_ level: Int) async throws {
        guard let id = someID(level) else { return }
        let (row, depth, policy) = (row(), depth(), policy())
        let columns = pick(2) == 0 ? [pick(3)] : [0, 2]
        last = "update of \(id) at \(level) to \(depth) with \(policy)"
        let result = await outcome { [service = services[level]] in
            try await service.update(
                Author.self, ids: [.init(rawValue: id)], merging: policy.merging
            ) { authors, _ in
                for column in columns { authors.first?.columns[column] = row[column] }
                return depth
            }
        }
        try expect(
            result,
            Result {
                try model.change(level, depth, policy) {
                    for column in columns { $0[id]?[column] = row[column] }
                }
            })
    }

    private mutating func delete(_ level: Int) async throws {
        guard let id = someID(level) else { return }
        let (depth, policy) = (depth(), policy())
        last = "delete of \(id) at \(level) to \(depth) with \(policy)"
        let result = await outcome { [service = services[level]] in
            try await service.delete(
                Author.self, ids: [.init(rawValue: id)], saving: depth, merging: policy.merging)
        }
        try expect(result, Result { try model.change(level, depth, policy) { $0[id] = nil } })
    }

    private mutating func deleteAll(_ level: Int) async throws {
        let (age, depth, policy) = (pick(4), depth(), policy())
        last = "delete of age \(age) at \(level) to \(depth) with \(policy)"
        let ids = model.view(level).filter { $0.value[1] == age }.keys
        var count = ids.count
        let result = await outcome { [service = services[level]] in
            try await service.delete(
                Author.self, where: { $0.age == age }, saving: depth, merging: policy.merging)
        } as: {
            count = $0
        }
        guard count == ids.count else {
            throw Difference(words: "\(count) were deleted instead of \(ids.count)")
        }
        try expect(
            result,
            Result {
                try model.change(level, depth, policy) { rows in for id in ids { rows[id] = nil } }
            })
    }

    /// Updates a row without waiting, except for what has become of it.
    private mutating func enqueue(_ level: Int) async throws {
        guard let id = someID(level) else { return }
        let (row, depth, policy) = (row(), depth(), policy())
        last = "enqueued update of \(id) at \(level) to \(depth) with \(policy)"
        let change = ServiceChange<Void>(
            ServiceOperation(.change), merging: policy.merging
        ) { context in
            try Author.find(.init(rawValue: id), in: context)?.columns = row
            return ((), depth)
        }
        let result = await withContinuation { continuation in
            services[level].submit(change) { result, _ in continuation.resume(returning: result) }
        }
        try expect(result, Result { try model.change(level, depth, policy) { $0[id] = row } })
    }

    private mutating func save(_ level: Int) async throws {
        let (depth, policy) = (depth(saving: true), policy())
        last = "save at \(level) to \(depth) with \(policy)"
        let result = await outcome { [service = services[level]] in
            try await service.save(depth, merging: policy.merging)
        }
        try expect(result, Result { try model.save(level, depth, policy) })
    }

    private mutating func rollBack(_ level: Int) async throws {
        last = "roll back at \(level)"
        try await services[level].rollBack()
        model.spaces[level] = Model.Space()
    }

    private mutating func undo(_ level: Int) async throws {
        last = "undo at \(level)"
        let real = try await services[level].undo()
        guard real == model.undo(level) else { throw Difference(words: "undo gave \(real)") }
        if real { undone += 1 }
    }

    private mutating func redo(_ level: Int) async throws {
        last = "redo at \(level)"
        let real = try await services[level].redo()
        guard real == model.redo(level) else { throw Difference(words: "redo gave \(real)") }
        if real { undone += 1 }
    }

    private func fail(_ level: Int) async throws {
        let result = await outcome { [service = services[level]] in
            try await service.update(Author.self) { authors, context in
                for author in authors { try author.delete() }
                _ = try Author.count(in: context)
                throw Refused()
            }
        }
        guard case .failure(is Refused) = result else {
            throw Difference(words: "a closure's error was lost")
        }
    }

    /// Lets go of a service and those below it.
    private mutating func discard(_ level: Int) {
        last = "discard at \(level)"
        for level in max(1, level)...2 {
            services[level] = services[level - 1].child()
            model.spaces[level] = Model.Space()
        }
    }

    private mutating func policy() -> Model.Policy { Model.Policy.allCases[pick(4)] }

    private func compare(_ level: Int) async throws {
        let authors =
            level < 0
            ? try await dal.read { try Author.all(in: $0) }
            : try await services[level].fetch(Author.self)
        let real = Dictionary(uniqueKeysWithValues: authors.map { ($0.id.rawValue, $0.columns) })
        let expected = model.view(level)
        guard real != expected else { return }
        throw Difference(words: "level \(level) sees \(real) and should see \(expected)")
    }

    private func outcome<R: Sendable>(
        _ body: @Sendable () async throws -> R, as use: (R) -> Void = { _ in }
    ) async -> Result<Void, any Error> {
        do {
            use(try await body())
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    private mutating func expect(
        _ real: Result<Void, any Error>, _ expected: Result<Void, any Error>
    ) throws {
        switch (real, expected) {
        case (.success, .success): return
        case (
            .failure(let error as PersistenceServiceError),
            .failure(let conflicted as Model.Conflicted)
        )
        where error.code == .conflict && error.conflicts.count == conflicted.count:
            conflicts += 1
            kinds.formUnion(error.conflicts.map(\.kind))
        default: throw Difference(words: "it gave \(real) and should give \(expected)")
        }
    }
}

extension Author {
    /// Three columns as numbers.
    fileprivate var columns: Model.Row {
        get { [Int(name) ?? 0, age, address.lines.count] }
        set {
            name = "\(newValue[0])"
            age = newValue[1]
            address.lines = Array(repeating: "", count: newValue[2])
        }
    }
}

extension Model.Policy {
    fileprivate var merging: MergePolicy {
        switch self {
        case .throwing: .throwing
        case .mine: .mine
        case .theirs: .theirs
        case .sum: .resolving(Self.sum)
        }
    }

    /// The sum of both sides; mine where one side has deleted the row.
    @Sendable private static func sum(_ conflict: Conflict) throws -> MergePolicy.Resolution? {
        guard let column = conflict.column, let values = try conflict.values(of: Author.self),
            let mine = values.mine, var theirs = values.theirs
        else { return .mine }
        let number = ["name": 0, "age": 1, "address": 2][column] ?? 0
        theirs.columns[number] += mine.columns[number]
        return .value(
            try StoreValue.capture { try theirs.bind(number == 2 ? 4 : number + 1, to: $0, at: 0) })
    }
}
