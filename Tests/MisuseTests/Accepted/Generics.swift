// Code over any entity, any context and any data access layer needs no more than the protocol.

import Skiathos

struct Repository<E: Entity>: Sendable {
    let dal: DataAccessLayer

    func all() async throws -> [E] { try await dal.read { try E.all(in: $0) } }

    func find(_ id: E.ID) async throws -> E? { try await dal.read { try E.find(id, in: $0) } }

    func insert(_ value: E) async throws -> E.ID {
        try await dal.write { try E.insert(value, in: $0).id }
    }

    func update(_ id: E.ID, _ change: @escaping @Sendable (Managed<E>) throws -> Void) async throws
    {
        try await dal.write { try E.find(id, in: $0).map(change) }
    }

    func delete(
        where condition: @escaping @Sendable (E.Columns) -> Condition<E>
    ) async throws
        -> Int
    {
        try await dal.write { try E.deleteAll(where: condition, in: $0) }
    }
}

extension Repository where E.RawID: GeneratedKey {
    func create(_ change: @escaping @Sendable (inout E) throws -> Void) async throws -> E {
        try await dal.write { try E.create(in: $0, change).value }
    }
}

extension Repository where E == User {
    func rename(_ id: User.ID, to name: String) async throws {
        try await update(id) { $0.name = name }
    }
}

extension Entity {
    static func isEmpty(in context: some QueryContext) throws -> Bool {
        try !exists(in: context)
    }

    func exists(in context: some QueryContext) throws -> Bool {
        try Self.ids(in: context).contains(id)
    }
}

protocol NamedColumns {
    associatedtype Root: Entity
    var name: Column<Root, String> { get }
}

protocol Named: Entity where Columns: NamedColumns, Columns.Root == Self {
    var name: String { get set }
}

extension User: Named {}
extension User.Columns: NamedColumns {}
extension Company: Named {}
extension Company.Columns: NamedColumns {}

func rename<E: Named>(_ type: E.Type, to name: String, in context: WriteContext) throws {
    for object in try E.all(in: context) { object.name = name }
    try E.where { $0.name != name }.update(set: { [$0.name.set(to: name)] }, in: context)
}

func named<E: Named>(_ name: String, _ type: E.Type = E.self) -> Query<E> {
    E.where { $0.name == name && $0.name.hasPrefix("A") }.order { $0.name.ascending }
}

func names<E: Named>(of type: E.Type, in context: ReadContext) throws -> [String] {
    try E.select { $0.name }.distinct().all(in: context)
}

func users(_ dal: DataAccessLayer) throws -> ([User], [Company]) {
    try dal.read { (try named("Ada").all(in: $0), try named("Acme", Company.self).all(in: $0)) }
}

func counts(_ types: [any Entity.Type], _ dal: DataAccessLayer) throws -> [Int] {
    try dal.read { context in try types.map { try count($0, in: context) } }
}

private func count<E: Entity>(_ type: E.Type, in context: ReadContext) throws -> Int {
    try E.count(in: context)
}

func perform<T: Sendable>(
    _ dal: DataAccessLayer, _ body: @escaping @Sendable (ReadContext) throws -> T
) async throws -> T {
    try await dal.read(body)
}
