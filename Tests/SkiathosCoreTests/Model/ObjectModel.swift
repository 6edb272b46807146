import Foundation
import TestSupport

/// The rows that the store has to hold, and the choice of what the next write does.
struct ObjectModel {
    /// What the writes of a run are about, so that each defect is found by a run of its own.
    enum Subject: String, CaseIterable, Sendable {
        /// Rows whose texts look like each other.
        case texts
        /// Nested scopes, and objects that remain after them.
        case scopes
        /// Deleted objects, IDs that are used again, and changes that are discarded.
        case discards
        /// IDs that are changed.
        case identity
        /// Rules of deletion.
        case rules
        /// All of it.
        case everything
    }

    let subject: Subject
    private(set) var rows: [ModelKey: ModelRow] = [:]
    private(set) var steps = 0
    private var random: SeededNumbers
    private var world = World()
    private var nextObject = 0
    private var usedLabels: Set<ExactText> = []
    /// How often a query is run between steps, of ten times.
    private var queries = 0
    /// Whether references may be set to rows that were deleted, which makes most writes fail.
    private var hasStrays = false

    init(_ subject: Subject, seed: UInt64) {
        self.subject = subject
        random = SeededNumbers(seed: seed)
    }

    mutating func nextWrite() -> ObjectScript {
        world = World(rows: rows)
        nextObject = 0
        usedLabels = Set(rows.values.compactMap(\.label))
        queries = [0, 3, 10].randomElement(using: &random) ?? 0
        hasStrays = [.rules, .everything].contains(subject) && chance(1, of: 4)
        var steps = nextSteps(depth: 0)
        var ending = ObjectScript.Ending.success
        if subject == .identity || (subject == .everything && chance(1, of: 10)),
            let poison = changedID()
        {
            steps += poison
            ending = .changedID
        } else {
            if queries > 0 { steps += checks() }
            if chance(1, of: 6) { ending = .refused }
            if ending == .success, !world.isSound { ending = .brokenReference }
        }
        return ObjectScript(steps: steps, ending: ending)
    }

    /// Takes over the outcome of the last write, which has succeeded.
    mutating func commit() { rows = world.rows }

    private mutating func chance(_ part: Int, of whole: Int) -> Bool {
        Int.random(in: 0..<whole, using: &random) < part
    }

    private mutating func nextSteps(depth: Int) -> [ObjectScript.Step] {
        var list: [ObjectScript.Step] = []
        for _ in 0..<Int.random(in: 1...14, using: &random) {
            steps += 1
            list += nextStep(depth: depth)
            if chance(queries, of: 10) { list.append(.query(randomKind())) }
        }
        return list
    }

    private mutating func nextStep(depth: Int) -> [ObjectScript.Step] {
        let discards: Bool = [.discards, .scopes, .everything].contains(subject)
        let scopes: Bool = [.scopes, .everything, .rules].contains(subject)
        switch Int.random(in: 0..<32, using: &random) {
        case 0..<7: return create()
        case 7..<9: return upsert()
        case 9..<12: return look()
        case 12..<17: return set()
        case 17..<20: return move()
        case 20..<25: return delete()
        case 25..<28 where discards: return discard()
        case 28..<30 where scopes && depth < 3: return nest(depth)
        case 30: return relate()
        default: return chance(1, of: 3) && queries > 0 ? checks() : look()
        }
    }

    private mutating func randomKind() -> Int {
        // The last one, which denies deletions, is rare: most writes would fail.
        let count = Items.kinds.count
        return Int.random(in: 0..<(chance(1, of: 3) ? count : count - 1), using: &random)
    }

    /// An ID, mostly one of few, so that it is likely to be used again.
    private mutating func randomID() -> ExactText {
        let number = Int.random(in: 0..<6, using: &random)
        guard [.texts, .everything].contains(subject) else { return ExactText("id \(number)") }
        let twin = ExactText.twins.randomElement(using: &random) ?? ""
        return ExactText("\(twin)\(number / 3)")
    }

    private mutating func randomLabel() -> ExactText? {
        for _ in 0..<20 {
            let twin = ExactText.twins.randomElement(using: &random) ?? ""
            let label = ExactText("\(twin) \(Int.random(in: 0..<30, using: &random))")
            if usedLabels.insert(label).inserted { return label }
        }
        return nil
    }

    /// A row to refer to; seldom one that is not there.
    private mutating func randomParent(_ kind: Int) -> ExactText? {
        let target = Items.parents[kind]
        if hasStrays {
            // What was deleted may have been made again by now; if not the write has to fail.
            if chance(1, of: 10), let gone = deleted(target) { return gone.id }
            if chance(1, of: 50) { return randomID() }
        }
        guard chance(4, of: 5) else { return nil }
        return sorted(world.rows.keys.filter { $0.kind == target }).randomElement(using: &random)?
            .id
    }

    private func sorted(_ keys: [ModelKey]) -> [ModelKey] {
        keys.sorted { $0.kind == $1.kind ? $0.id < $1.id : $0.kind < $1.kind }
    }

    /// A row of a kind that the write has deleted.
    private mutating func deleted(_ kind: Int) -> ModelKey? {
        let gone = world.objects.values.filter { $0.isDeleted && $0.key.kind == kind }
        return sorted(gone.map(\.key)).randomElement(using: &random)
    }

    /// Chooses a row, and has its object if it was not held yet.
    private mutating func hold(_ kind: Int? = nil) -> (Int, [ObjectScript.Step])? {
        let keys = sorted(world.rows.keys.filter { kind == nil || $0.kind == kind })
        guard let key = keys.randomElement(using: &random) else { return nil }
        if let held = world.held[key] {
            return (held, chance(1, of: 2) ? [.find(held, key)] : [])
        }
        let object = nextObject
        nextObject += 1
        world.fetch(object, key)
        return (object, [.find(object, key)])
    }

    private mutating func create() -> [ObjectScript.Step] {
        let kind = randomKind()
        let gone = chance(1, of: 2) ? deleted(kind) : nil
        let key = gone ?? ModelKey(kind: kind, id: randomID())
        guard world.rows[key] == nil else { return [] }
        let row = ModelRow(
            label: chance(1, of: 2) ? randomLabel() : nil,
            count: Int.random(in: 0..<100, using: &random), parent: randomParent(kind))
        let object = nextObject
        nextObject += 1
        // Rows of the store may refer to it before it is there. If it were deleted before it is stored,
        // no rule would reach them.
        let isAwaited = world.rows.contains { $0.value.parent.map($0.key.parent) == key }
        world.create(object, key, row)
        return [.create(object, key, row)] + (isAwaited ? [.query(kind)] : [])
    }

    /// Stores a row by a label, which mostly is that of a row or looks like it.
    private mutating func upsert() -> [ObjectScript.Step] {
        let kind = randomKind()
        let labels = world.rows.filter { $0.key.kind == kind }.compactMap { key, row in
            row.label.map { ($0, key) }
        }
        let known = labels.sorted { $0.0 < $1.0 }.randomElement(using: &random)
        var row = ModelRow(
            label: known?.0, count: Int.random(in: 0..<100, using: &random),
            parent: randomParent(kind))
        let new = ModelKey(kind: kind, id: randomID())
        if let known, chance(1, of: 2) {
            let isHeld = world.held[known.1]
            let object = isHeld ?? nextObject
            if isHeld == nil {
                nextObject += 1
                world.fetch(object, known.1)
            }
            if world.rows[known.1] != row { world.set(object, row) }
            return [.upsert(object, new, row)]
        }
        row.label = known.map { ExactText($0.0.text.decomposedStringWithCanonicalMapping) }
        guard world.rows[new] == nil, let label = row.label, usedLabels.insert(label).inserted
        else { return [] }
        let object = nextObject
        nextObject += 1
        let isAwaited = world.rows.contains { $0.value.parent.map($0.key.parent) == new }
        world.create(object, new, row)
        return [.upsert(object, new, row)] + (isAwaited ? [.query(kind)] : [])
    }

    private mutating func look() -> [ObjectScript.Step] {
        let key = ModelKey(kind: randomKind(), id: randomID())
        guard world.rows[key] != nil else { return [.findNothing(key)] }
        return hold()?.1 ?? []
    }

    private mutating func set() -> [ObjectScript.Step] {
        guard let (object, steps) = hold(), let key = world.objects[object]?.key,
            var row = world.rows[key]
        else { return [] }
        if chance(1, of: 2) {
            row.count = Int.random(in: 0..<100, using: &random)
            world.set(object, row)
            return steps + [.setCount(object, row.count)]
        }
        row.label = randomLabel()
        world.set(object, row)
        return steps + [.setLabel(object, row.label)]
    }

    private mutating func move() -> [ObjectScript.Step] {
        guard let (object, steps) = hold(), let key = world.objects[object]?.key,
            var row = world.rows[key]
        else { return [] }
        row.parent = randomParent(key.kind)
        world.set(object, row)
        return steps + [.setParent(object, row.parent)]
    }

    private mutating func delete() -> [ObjectScript.Step] {
        let kind = chance(1, of: 3) ? 0 : nil
        guard let (object, steps) = hold(kind), let key = world.objects[object]?.key else {
            return []
        }
        // The rules of deletion are a subject of their own.
        let hasRules = [.rules, .everything].contains(subject)
        let isReferredTo = world.rows.contains { $0.value.parent.map($0.key.parent) == key }
        guard hasRules || !isReferredTo else { return steps }
        world.delete(key)
        return steps + [.delete(object)]
    }

    private mutating func discard() -> [ObjectScript.Step] {
        let hasRules = subject == .everything
        let objects = world.objects.keys.sorted().filter { number in
            guard !hasRules, let key = world.objects[number]?.key else { return true }
            return !world.rows.contains { $0.value.parent.map($0.key.parent) == key }
        }
        let refused = objects.filter(world.refusesDiscarding)
        let choice = chance(1, of: 3) && !refused.isEmpty ? refused : objects
        guard let object = choice.randomElement(using: &random) else { return [] }
        let isRefused = world.refusesDiscarding(object)
        world.discard(object)
        return [.discard(object, isRefused: isRefused)]
    }

    private mutating func nest(_ depth: Int) -> [ObjectScript.Step] {
        let before = world
        let steps = nextSteps(depth: depth + 1)
        let fails = chance(1, of: 2)
        if fails { world.undo(to: before) }
        return [.nested(steps, fails: fails)]
    }

    private mutating func relate() -> [ObjectScript.Step] {
        guard let (object, steps) = hold(), let key = world.objects[object]?.key,
            let row = world.rows[key]
        else { return [] }
        if key.kind == 0, chance(1, of: 2) {
            let branches = world.rows.filter { $0.key.kind == 1 && $0.value.parent == key.id }
            return steps + [.branches(object, Set(branches.keys.map(\.id)))]
        }
        let parent = row.parent.map(key.parent).flatMap { world.rows[$0] == nil ? nil : $0 }
        return steps + [.related(object, parent)]
    }

    /// Compares all rows and all objects.
    private mutating func checks() -> [ObjectScript.Step] {
        Items.kinds.indices.map { kind in
            .check(kind, world.rows.filter { $0.key.kind == kind })
        } + [.checkObjects(world.objects.mapValues(\.isDeleted))]
    }

    /// Gives an object that was fetched the ID of another row, and mostly deletes it then.
    private mutating func changedID() -> [ObjectScript.Step]? {
        let before = world
        guard let (object, steps) = hold(), let known = world.objects[object], !known.isCreated
        else {
            world = before
            return nil
        }
        let others = sorted(world.rows.keys.filter { $0.kind == known.key.kind && $0 != known.key })
        let id = others.randomElement(using: &random)?.id ?? ExactText("none")
        let change = ObjectScript.Step.changeID(object, id, inValue: chance(1, of: 2))
        return steps + [change] + (chance(2, of: 3) ? [.delete(object)] : [])
            + (chance(1, of: 2) ? [.query(known.key.kind)] : [])
    }
}
