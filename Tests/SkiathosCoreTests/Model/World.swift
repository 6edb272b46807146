import Skiathos

/// Names a row of the model.
struct ModelKey: Hashable, CustomStringConvertible {
    let kind: Int
    let id: ExactText

    /// The row that a row of this kind refers to with an ID.
    func parent(_ id: ExactText) -> ModelKey { ModelKey(kind: Items.parents[kind], id: id) }

    var description: String { "\(Items.kinds[kind].table) \(id)" }
}

/// The columns of a row of the model.
struct ModelRow: Equatable, CustomStringConvertible {
    var label: ExactText?
    var count = 0
    var parent: ExactText?

    var description: String {
        "(\(label?.description ?? "-"), \(count), \(parent?.description ?? "-"))"
    }
}

/// The rows of a store and the objects of a write, where every step takes effect at once.
///
/// This is what a write has to come to, whenever its changes are flushed.
struct World {
    struct Object {
        let key: ModelKey
        /// Made by the write, and so gone when its changes are discarded.
        let isCreated: Bool
        var isDeleted = false
        /// The row before the object was first set.
        var original: ModelRow?
        /// The row as it was when it was deleted.
        var last = ModelRow()
    }

    var rows: [ModelKey: ModelRow] = [:]
    /// By their numbers.
    var objects: [Int: Object] = [:]
    /// The number of the object of each row that has one.
    var held: [ModelKey: Int] = [:]

    /// Whether every reference leads to a row.
    var isSound: Bool {
        rows.allSatisfy { key, row in row.parent.map { rows[key.parent($0)] != nil } ?? true }
    }

    mutating func create(_ object: Int, _ key: ModelKey, _ row: ModelRow) {
        rows[key] = row
        objects[object] = Object(key: key, isCreated: true)
        held[key] = object
    }

    mutating func fetch(_ object: Int, _ key: ModelKey) {
        objects[object] = Object(key: key, isCreated: false)
        held[key] = object
    }

    mutating func set(_ object: Int, _ row: ModelRow) {
        guard let key = objects[object]?.key, let old = rows[key] else { return }
        if objects[object]?.original == nil { objects[object]?.original = old }
        rows[key] = row
    }

    /// Deletes a row, and applies the rules to what refers to it at this moment.
    mutating func delete(_ key: ModelKey) {
        guard let row = rows.removeValue(forKey: key) else { return }
        if let object = held.removeValue(forKey: key) {
            objects[object]?.isDeleted = true
            objects[object]?.last = row
        }
        for (other, row) in rows where row.parent.map(other.parent) == key {
            switch Items.kinds[other.kind].rule {
            case .nullify: rows[other]?.parent = nil
            case .cascade: delete(other)
            case .deny: break
            }
        }
    }

    /// Whether discarding has to be refused, since another object has the ID by now.
    func refusesDiscarding(_ object: Int) -> Bool {
        guard let known = objects[object] else { return false }
        return !known.isCreated && known.isDeleted && rows[known.key] != nil
    }

    mutating func discard(_ object: Int) {
        guard let known = objects[object], !refusesDiscarding(object) else { return }
        if known.isCreated {
            if !known.isDeleted { delete(known.key) }
        } else if known.isDeleted {
            rows[known.key] = known.original ?? known.last
            held[known.key] = object
            objects[object]?.isDeleted = false
        } else if let original = known.original {
            rows[known.key] = original
        }
    }

    /// Undoes a nested scope that has made some objects.
    mutating func undo(to before: World) {
        let made = objects.filter { before.objects[$0.key] == nil }
        self = before
        for (number, object) in made.sorted(by: { $0.key < $1.key }) {
            let lives = !object.isCreated && rows[object.key] != nil && held[object.key] == nil
            if lives {
                fetch(number, object.key)
            } else {
                objects[number] = Object(key: object.key, isCreated: true, isDeleted: true)
            }
        }
    }
}
