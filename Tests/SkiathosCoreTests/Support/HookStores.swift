import Foundation
import ReliabilityKit
import Skiathos
import SkiathosStore
import SkiathosTesting

/// Opens a store of notes, companies and users, and checks on the way out that the test has left it
/// sound.
///
/// - Parameter messages: Adds messages, which tell the whole process of their commits.
func withNotes(
    _ place: Place = .file, messages: Bool = false,
    configuration: Configuration = Configuration(),
    _ body: @Sendable (DataAccessLayer) async throws -> Void
) async throws {
    let directory = try TemporaryDirectory()
    let source = place == .memory ? StoreSource.inMemory : .sqlite(directory.file("test.sqlite"))
    let entities: [any Entity.Type] = [Note.self, Company.self, User.self]
    try await withStore(
        source, entities: messages ? entities + [Message.self] : entities,
        configuration: configuration, body)
    withExtendedLifetime(directory) {}
}

/// The same in a store whose commits can fail, and whose queries are counted.
func withFailingStore(
    configuration: Configuration = Configuration(),
    _ body: @Sendable (DataAccessLayer, StoreControl) async throws -> Void
) async throws {
    let control = StoreControl()
    let source = StoreSource.inMemory.mapped { control.store(over: $0) }
    try await withStore(
        source, entities: Note.self, Message.self, Company.self, User.self,
        configuration: configuration
    ) { try await body($0, control) }
}

extension Configuration {
    /// Batches stay open until a caller needs the commit.
    static var patient: Configuration {
        var configuration = Configuration()
        configuration.commitInterval = .seconds(3600)
        return configuration
    }
}

extension User {
    /// Creates a user with a name that no other has.
    @discardableResult
    static func add(
        in context: WriteContext, _ change: (inout User) throws -> Void = { _ in }
    ) throws -> Managed<User> {
        try create(in: context) {
            $0.lastname = UUID().uuidString
            try change(&$0)
        }
    }
}
