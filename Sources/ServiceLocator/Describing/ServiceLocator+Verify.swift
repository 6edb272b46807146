import SkiathosLocks
import Synchronization

extension ServiceLocator {
    /// Resolves every registration of this scope and those above once, and reports all
    /// failures.
    ///
    /// ```swift
    /// try await app.verify()                        // at the start: everything is made now
    /// try await app.verify(keepingServices: false)  // in a test: what was made is ended again
    /// ```
    ///
    /// The error lists missing services with their dependents, cycles with their paths, and
    /// closures that throw. It lists weak registrations whose object is gone, and asynchronous
    /// services that were resolved synchronously. Each cause is listed once, however many
    /// services it concerns. Services with other lifetimes are made for this scope.
    ///
    /// - Parameters:
    ///   - keepingServices: Whether the services made here are kept, as after `resolve`. If not,
    ///     existing services are used, and all others are made apart and ended.
    ///   - isolation: The actor on which the caller runs.
    /// - Throws: ``ServiceLocatorError`` with code `verificationFailed` and the `problems`; a
    ///   `CancellationError`.
    public func verify(
        keepingServices: Bool = true, isolation: isolated (any Actor)? = #isolation
    ) async throws {
        let problems: [ServiceLocatorError]
        if keepingServices {
            problems = try await findProblems()
        } else {
            let set = OverrideSet([], on: scopes.last ?? self, canEnd: true)
            do {
                let found = try await OverrideSet.$current.withValue(set) {
                    try await findProblems()
                }
                problems = await found + set.end()
            } catch {
                _ = await set.end()
                throw error
            }
        }
        if !problems.isEmpty { throw ServiceLocatorError.verificationFailed(name, problems) }
    }

    private func findProblems(
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> [ServiceLocatorError] {
        if isClosed { throw ServiceLocatorError.closed(name, doing: "be verified") }
        var causes = Causes()
        for registration in visibleRegistrations {
            try Task.checkCancellation()
            if registration.isDead {
                causes.add(.released(registration, path: [registration.key.description]))
                continue
            }
            do {
                _ = try await Resolution(registration.key, self).value()
            } catch let error as ServiceLocatorError {
                causes.add(error)
            }
        }
        return causes.errors
    }

    /// The registrations that this scope can find, those of the scopes above first.
    var visibleRegistrations: [Registration] {
        var seen: Set<ServiceKey> = []
        let byScope = scopes.map { scope in
            scope.state.withLock { $0.registrations }.filter { seen.insert($0.key).inserted }
        }
        return byScope.reversed().flatMap { $0 }
    }
}

/// The errors of a verification, each cause once.
private struct Causes {
    private var indexes: [[String]: Int] = [:]
    private(set) var errors: [ServiceLocatorError] = []

    /// Adds an error; of several with the same cause, the one with the shortest path is kept.
    mutating func add(_ error: ServiceLocatorError) {
        let cause = [error.code.rawValue] + concerned(by: error)
        guard let index = indexes[cause] else {
            indexes[cause] = errors.count
            errors.append(error)
            return
        }
        if error.path.count < errors[index].path.count { errors[index] = error }
    }

    private func concerned(by error: ServiceLocatorError) -> [String] {
        switch error.code {
        case .cycle: Set(error.path).sorted()
        case .constructionFailed: error.path.suffix(1)
        default: error.path.suffix(2)
        }
    }
}
