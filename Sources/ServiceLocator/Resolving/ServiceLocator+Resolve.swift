import Synchronization

extension ServiceLocator {
    /// Returns the service for a type from this scope or the nearest scope above.
    ///
    /// ```swift
    /// let clock = try locator.resolve((any Clock).self)
    /// let mailer: any Mailer = try locator.resolve(named: "bulk")
    /// ```
    ///
    /// For synchronous code, such as closures of `.lazy`. Asynchronous code calls the other
    /// function with `await`. If another thread is making the service, this call blocks until
    /// it is made.
    ///
    /// - Throws: ``ServiceLocatorError`` with code `missing`, `captive`, `released`, `closed`,
    ///   `cycle`, `constructionFailed`, `wrongType`, or `asynchronous`.
    public func resolve<P: Sendable>(
        _ type: P.Type = P.self, named name: String? = nil
    ) throws(ServiceLocatorError) -> P {
        let id = ObjectIdentifier(type)
        if !TaskLocalsInUse.exist || !isWatched(id, name) {
            if let service: P = ready(id, name, excluding: TaggedPointer.asynchronous) {
                return service
            }
        }
        return try unbox(Resolution(ServiceKey(id, name), self).now())
    }

    /// Returns the service for a type, and waits until it is made.
    ///
    /// ```swift
    /// let database = try await locator.resolve(Database.self)
    /// ```
    ///
    /// Returns services of all kinds, also asynchronous ones.
    ///
    /// - Throws: The errors of the synchronous function; and a `CancellationError` if the task
    ///   is cancelled while it waits. Other callers that wait for the same service are not
    ///   affected.
    public func resolve<P: Sendable>(
        _ type: P.Type = P.self, named name: String? = nil,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> P {
        let id = ObjectIdentifier(type)
        if !TaskLocalsInUse.exist || !isWatched(id, name) {
            if let service: P = ready(id, name, excluding: 0) { return service }
        }
        return try unbox(await Resolution(ServiceKey(id, name), self).value())
    }

    /// Records a dependency of the service being made; returns whether an override may hold.
    private func isWatched(_ type: ObjectIdentifier, _ name: String?) -> Bool {
        WaitNode.active?.registration?.observe(ServiceKey(type, name))
        return OverrideSet.current != nil
    }

    /// The service if it is ready, found without a lock.
    @inline(__always)
    private func ready<P: Sendable>(
        _ type: ObjectIdentifier, _ name: String?, excluding marks: UInt
    ) -> P? {
        let section = epochGuard.enter()
        let pointer = publishedPointer(type, name)
        guard let box = pointer.box, !pointer.has(marks) else {
            epochGuard.leave(section)
            return nil
        }
        if pointer.has(TaggedPointer.weak) {
            let held = box.takeUnretainedValue()
            epochGuard.leave(section)
            return unsafeDowncast(held, to: WeakBox<P>.self).load()
        }
        // A key names the type, and a box of this type is all that is ever stored for it.
        let service = box._withUnsafeGuaranteedRef { unsafeDowncast($0, to: Box<P>.self).value }
        epochGuard.leave(section)
        return service
    }

    /// The pointer published by the nearest scope that has the key; empty if the scope is closed.
    @inline(__always)
    private func publishedPointer(_ type: ObjectIdentifier, _ name: String?) -> TaggedPointer {
        let nothing = TaggedPointer(bits: TaggedPointer.empty)
        guard !isClosing.load(ordering: .sequentiallyConsistent) else { return nothing }
        if let bits = published.bits(of: type, name) { return TaggedPointer(bits: bits) }
        let inherited = uncountedParent?._withUnsafeGuaranteedRef { $0.nearestPointer(type, name) }
        guard let inherited, !inherited.has(TaggedPointer.scoped) else { return nothing }
        return inherited
    }

    /// The pointer published by the nearest scope, from this one upwards, that has the key.
    private func nearestPointer(_ type: ObjectIdentifier, _ name: String?) -> TaggedPointer? {
        if let bits = published.bits(of: type, name) { return TaggedPointer(bits: bits) }
        return uncountedParent?._withUnsafeGuaranteedRef { $0.nearestPointer(type, name) }
    }

    private func unbox<P: Sendable>(_ box: ErasedBox) throws(ServiceLocatorError) -> P {
        guard let typed = box as? Box<P> else {
            throw .wrongType(
                ServiceKey(ObjectIdentifier(P.self), nil), expected: Box<P>.self,
                found: Swift.type(of: box))
        }
        return typed.value
    }
}
