public import SkiathosCore
public import SkiathosStore

/// A store that a test left in bad order.
public struct UnsoundStore: Error, CustomStringConvertible {
    /// Messages about what is wrong.
    public let problems: [String]

    /// All problems.
    public var description: String {
        "The store is not sound after the test: \(problems.joined(separator: "; "))"
    }
}

/// Opens a store for a test, and checks on the way out that the test has left it sound.
///
/// ```swift
/// @Test func `a user is found by email`() async throws {
///     try await withStore(.inMemory, entities: User.self) { dal in
///         try await dal.write { try User.create(in: $0) { $0.email = "ada@example.org" } }
///         #expect(try await dal.read { try User.exists(where: { $0.email == "ada@example.org" }, in: $0) })
///     }
/// }
/// ```
///
/// - Parameters:
///   - source: Where the store is.
///   - entities: All entities that the store holds.
///   - configuration: Everything else.
///   - body: The test. It may close the store itself; then nothing is checked.
/// - Throws: What the closure throws, or ``UnsoundStore``.
public func withStore<R: Sendable>(
    _ source: StoreSource, entities: any Entity.Type...,
    configuration: Configuration = Configuration(),
    _ body: @Sendable (DataAccessLayer) async throws -> R
) async throws -> R {
    try await withStore(source, entities: entities, configuration: configuration, body)
}

/// Opens a store whose entities are computed for a test, and checks it on the way out.
public func withStore<R: Sendable>(
    _ source: StoreSource, entities: [any Entity.Type],
    configuration: Configuration = Configuration(),
    _ body: @Sendable (DataAccessLayer) async throws -> R
) async throws -> R {
    let dal = try await DataAccessLayer.open(
        source, entities: entities, configuration: configuration)
    let result: R
    do {
        result = try await body(dal)
        try await requireSound(dal)
    } catch {
        // The test's own failure is the one to report.
        try? await dal.close()
        throw error
    }
    try await dal.close()
    return result
}

private func requireSound(_ dal: DataAccessLayer) async throws {
    do {
        let problems = try await dal.integrityProblems()
        guard problems.isEmpty else { throw UnsoundStore(problems: problems) }
    } catch let error as DataAccessError where error.code == .closed {
        // The test has closed it.
    }
}
