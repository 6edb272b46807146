import Foundation
import Skiathos

/// What one write does with objects, and what it has to meet, decided beforehand.
struct ObjectScript: Sendable {
    enum Step: Sendable {
        case create(Int, ModelKey, ModelRow)
        /// Stores a row by its label, which another row may have.
        case upsert(Int, ModelKey, ModelRow)
        /// Finds a row, whose object gets the number or has it already.
        case find(Int, ModelKey)
        case findNothing(ModelKey)
        case setLabel(Int, ExactText?)
        case setCount(Int, Int)
        case setParent(Int, ExactText?)
        case delete(Int)
        case discard(Int, isRefused: Bool)
        case nested([Step], fails: Bool)
        /// Gives an object another ID, through its key path or with the whole value.
        case changeID(Int, ExactText, inValue: Bool)
        /// Any query, before which the changes are flushed.
        case query(Int)
        /// Compares all rows of a kind, and what is known of objects.
        case check(Int, [ModelKey: ModelRow])
        case checkObjects([Int: Bool])
        /// Compares what the reference of an object leads to.
        case related(Int, ModelKey?)
        /// Compares the branches of a root.
        case branches(Int, Set<ExactText>)
    }

    struct Refused: Error {}

    struct Disagreement: Error, CustomStringConvertible {
        let description: String
    }

    /// How a write ends.
    enum Ending: Equatable, Sendable {
        case success, refused, brokenReference, changedID
    }

    var steps: [Step]
    var ending: Ending

    /// Runs all steps.
    func run(in context: WriteContext) throws {
        let run = Run(context)
        for step in steps { try run.perform(step) }
        if ending == .refused { throw Refused() }
    }

    /// How a failed write has ended, if that is one of the ways in which it may.
    static func ending(_ error: any Error) -> Ending? {
        switch error {
        case is Refused: .refused
        case let error as StoreError where error.code == .foreignKeyViolation: .brokenReference
        case let error as DataAccessError where error.code == .invalidID: .changedID
        default: nil
        }
    }
}

/// The objects of a script that is running.
private final class Run {
    private let context: WriteContext
    private var objects: [Int: (kind: any Kind.Type, object: AnyObject)] = [:]

    init(_ context: WriteContext) { self.context = context }

    private func object(_ number: Int) throws -> (kind: any Kind.Type, object: AnyObject) {
        guard let known = objects[number] else {
            throw ObjectScript.Disagreement(description: "object \(number) is unknown")
        }
        return known
    }

    private func require(_ condition: Bool, _ description: @autoclosure () -> String) throws {
        guard !condition else { return }
        throw ObjectScript.Disagreement(description: description())
    }

    func perform(_ step: ObjectScript.Step) throws {
        switch step {
        case .create(let number, let key, let row):
            let kind = Items.kinds[key.kind]
            objects[number] = (kind, try kind.create(key.id.text, row, in: context))
        case .upsert(let number, let key, let row):
            let kind = Items.kinds[key.kind]
            let found = try kind.upsert(key.id.text, row, in: context)
            if let known = objects[number] {
                try require(known.object === found, "\(row) was given to another object")
            }
            objects[number] = (kind, found)
        case .find(let number, let key):
            let kind = Items.kinds[key.kind]
            guard let found = try kind.find(key.id.text, in: context) else {
                throw ObjectScript.Disagreement(description: "\(key) was not found")
            }
            if let known = objects[number] {
                try require(known.object === found, "\(key) was found as another object")
            }
            let id = try kind.id(of: found)
            try require(id == key.id, "\(key) was found as \(id)")
            objects[number] = (kind, found)
        case .findNothing(let key):
            let found = try Items.kinds[key.kind].find(key.id.text, in: context)
            try require(found == nil, "\(key) was found")
        case .setLabel(let number, let label):
            let (kind, object) = try object(number)
            try kind.setLabel(object, label?.text)
        case .setCount(let number, let count):
            let (kind, object) = try object(number)
            try kind.setCount(object, count)
        case .setParent(let number, let parent):
            let (kind, object) = try object(number)
            try kind.setParent(object, parent?.text)
        case .delete(let number):
            let (kind, object) = try object(number)
            try kind.delete(object)
        case .discard(let number, let isRefused):
            let (kind, object) = try object(number)
            do {
                try kind.discard(object)
                try require(!isRefused, "\(number) was discarded, and another has its ID")
            } catch let error as StoreError where error.code == .uniqueViolation {
                try require(isRefused, "\(number) was not discarded")
            }
        case .nested(let steps, let fails):
            do {
                try context.nested { _ in
                    for step in steps { try perform(step) }
                    if fails { throw ObjectScript.Refused() }
                }
            } catch is ObjectScript.Refused {}
        case .changeID(let number, let id, let inValue):
            let (kind, object) = try object(number)
            try kind.changeID(object, id.text, inValue: inValue)
        case .query(let kind): try Items.kinds[kind].query(in: context)
        default: try compare(step)
        }
    }

    private func compare(_ step: ObjectScript.Step) throws {
        switch step {
        case .check(let kind, let expected):
            let found = try Items.kinds[kind].all(kind, in: context)
            try require(found == expected, "found \(found), expected \(expected)")
        case .checkObjects(let expected):
            for (number, isDeleted) in expected {
                let (kind, object) = try object(number)
                let found = try kind.isDeleted(object)
                try require(found == isDeleted, "object \(number) is deleted: \(found)")
            }
        case .related(let number, let expected):
            let (kind, object) = try object(number)
            let found = try kind.related(object, in: context)
            try require(
                found == expected?.id,
                "related: \(String(describing: found)), not \(expected as Any)")
        case .branches(let number, let expected):
            let (_, object) = try object(number)
            let found = try Root.branches(object, in: context)
            try require(found == expected, "branches: \(found), not \(expected)")
        default: preconditionFailure("A step is neither performed nor compared.")
        }
    }
}

/// What a script does with the objects of a kind, whose type only the kind knows.
extension Kind {
    private static func managed(_ object: AnyObject) throws -> Managed<Item<Self>> {
        guard let object = object as? Managed<Item<Self>> else {
            throw ObjectScript.Disagreement(description: "an object is of another kind")
        }
        return object
    }

    static func create(
        _ id: String, _ row: ModelRow, in context: WriteContext
    ) throws -> AnyObject {
        try Item<Self>.create(id: .init(rawValue: id), in: context) {
            $0.label = row.label?.text
            $0.count = row.count
            $0.parent = row.parent.map { .init(rawValue: $0.text) }
        }
    }

    static func upsert(
        _ id: String, _ row: ModelRow, in context: WriteContext
    ) throws -> AnyObject {
        var value = Item<Self>(id: .init(rawValue: id))
        value.label = row.label?.text
        value.count = row.count
        value.parent = row.parent.map { .init(rawValue: $0.text) }
        return try Item<Self>.upsert(value, by: \.label, in: context)
    }

    static func find(_ id: String, in context: WriteContext) throws -> AnyObject? {
        try Item<Self>.find(.init(rawValue: id), in: context)
    }

    static func id(of object: AnyObject) throws -> ExactText {
        ExactText(try managed(object).id.rawValue)
    }

    static func setLabel(_ object: AnyObject, _ label: String?) throws {
        try managed(object).label = label
    }

    static func setCount(_ object: AnyObject, _ count: Int) throws {
        try managed(object).count = count
    }

    static func setParent(_ object: AnyObject, _ parent: String?) throws {
        try managed(object).parent = parent.map { .init(rawValue: $0) }
    }

    static func delete(_ object: AnyObject) throws { try managed(object).delete() }

    static func discard(_ object: AnyObject) throws { try managed(object).discardChanges() }

    static func isDeleted(_ object: AnyObject) throws -> Bool { try managed(object).isDeleted }

    static func changeID(_ object: AnyObject, _ id: String, inValue: Bool) throws {
        let object = try managed(object)
        if inValue {
            var value = object.value
            value.id = .init(rawValue: id)
            object[dynamicMember: \.self] = value
        } else {
            object[dynamicMember: \.id] = .init(rawValue: id)
        }
    }

    static func query(in context: WriteContext) throws { _ = try Item<Self>.count(in: context) }

    static func all(_ kind: Int, in context: WriteContext) throws -> [ModelKey: ModelRow] {
        let items = try Item<Self>.all(in: context).map(\.value)
        let groups = try Item<Self>.grouped { $0.parent }.select { $0.id.count }.all(in: context)
        let sizes = Dictionary(grouping: items, by: \.parent).mapValues(\.count)
        for (parent, size) in groups where sizes[parent] != size {
            throw ObjectScript.Disagreement(description: "a group has \(size) rows")
        }
        return rows(items, kind)
    }

    /// The rows as reads see them, by every way of finding them.
    static func all(_ kind: Int, in context: ReadContext) throws -> [ModelKey: ModelRow] {
        let items = try Item<Self>.all(in: context)
        let ids = items.map(\.id)
        let twins = ids.map {
            EntityID<Item<Self>>(rawValue: $0.rawValue.decomposedStringWithCanonicalMapping)
        }
        let found = try Item<Self>.find(ids + twins, in: context)
        for item in found.found + items.compactMap({ try? Item.find($0.id, in: context) }) {
            let known = items.first { ExactText($0.id.rawValue) == ExactText(item.id.rawValue) }
            guard let known, known.changedColumns(from: item).isEmpty else {
                throw ObjectScript.Disagreement(description: "\(item) was found, not \(items)")
            }
        }
        let stored = Set(ids.map { ExactText($0.rawValue) })
        let expected = (ids + twins).filter { stored.contains(ExactText($0.rawValue)) }
        guard
            found.found.map({ ExactText($0.id.rawValue) })
                == expected.map({ ExactText($0.rawValue) })
        else { throw ObjectScript.Disagreement(description: "found other rows than asked for") }
        for twin in twins {
            let one = try Item<Self>.find(twin, in: context)
            let isThere = stored.contains(ExactText(twin.rawValue))
            guard
                one.map({ ExactText($0.id.rawValue) }) == (isThere ? ExactText(twin.rawValue) : nil)
            else {
                throw ObjectScript.Disagreement(description: "a twin was found as \(one as Any)")
            }
        }
        return rows(items, kind)
    }

    private static func rows(_ items: [Item<Self>], _ kind: Int) -> [ModelKey: ModelRow] {
        let pairs = items.map { item in
            (
                ModelKey(kind: kind, id: ExactText(item.id.rawValue)),
                ModelRow(
                    label: item.label.map(ExactText.init), count: item.count,
                    parent: item.parent.map { ExactText($0.rawValue) })
            )
        }
        return Dictionary(pairs) { $1 }
    }

    static func related(_ object: AnyObject, in context: WriteContext) throws -> ExactText? {
        try managed(object).related(\.parent, in: context).map { ExactText($0.id.rawValue) }
    }
}

extension Root {
    static func branches(_ object: AnyObject, in context: WriteContext) throws -> Set<ExactText> {
        guard let object = object as? Managed<Item<Root>> else { return [] }
        let found = try object.branches.all(in: context).map { ExactText($0.id.rawValue) }
        guard try object.branches.count(in: context) == found.count else {
            throw ObjectScript.Disagreement(description: "branches are counted otherwise")
        }
        return Set(found)
    }
}
