import Synchronization

extension ServiceLocator {
    /// Gives the service that is registered for a type, from this scope or the nearest above.
    ///
    /// ```swift
    /// let clock = try locator.resolve((any Clock).self)
    /// let mailer: any Mailer = try locator.resolve(named: "bulk")
    /// ```
    ///
    /// For code that is not asynchronous, such as closures of `.lazy`; in asynchronous code the
    /// other function is meant, and is called with `await`. If another thread is making the service,
    /// this blocks until it is there.
    ///
    /// - Throws: ``ServiceLocatorError`` with code `missing`, `captive`, `released`, `closed`,
    ///   `cycle`, `constructionFailed`, `wrongType`, or `asynchronous`.
    public func resolve<P: Sendable>(
        _ type: P.Type = P.self, named name: String? = nil
    ) throws(ServiceLocatorError) -> P {
        let id = ObjectIdentifier(type)
        if !Attention.isNeeded || !isWatched(id, name) {
            if let service: P = ready(id, name, excluding: PublishedWord.asynchronous) {
                return service
            }
        }
        return try unbox(Resolution(ServiceKey(id, name), self).now())
    }

    /// Gives the service that is registered for a type, and waits until it is made.
    ///
    /// ```swift
    /// let database = try await locator.resolve(Database.self)
    /// ```
    ///
    /// Gives those that are registered as asynchronous and all others.
    ///
    /// - Throws: As the synchronous function; and a `CancellationError` if the task is cancelled
    ///   while it waits, which does not concern others that wait for the same service.
    public func resolve<P: Sendable>(
        _ type: P.Type = P.self, named name: String? = nil,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> P {
        let id = ObjectIdentifier(type)
        if !Attention.isNeeded || !isWatched(id, name) {
            if let service: P = ready(id, name, excluding: 0) { return service }
        }
        return try unbox(await Resolution(ServiceKey(id, name), self).value())
    }

    /// Takes down what a service that is being made asks for; tells whether an override may hold.
    private func isWatched(_ type: ObjectIdentifier, _ name: String?) -> Bool {
        WaitNode.active?.registration?.observe(ServiceKey(type, name))
        return OverrideSet.current != nil
    }

    /// What is ready, without taking a lock.
    @inline(__always)
    private func ready<P: Sendable>(
        _ type: ObjectIdentifier, _ name: String?, excluding marks: UInt
    ) -> P? {
        let section = sections.enter()
        let word = publishedWord(type, name)
        guard let box = word.box, !word.has(marks) else {
            sections.leave(section)
            return nil
        }
        if word.has(PublishedWord.weak) {
            let held = box.takeUnretainedValue()
            sections.leave(section)
            return unsafeDowncast(held, to: WeakBox<P>.self).load()
        }
        // A key names the type, and a box of this type is all that is ever stored for it.
        let service = box._withUnsafeGuaranteedRef { unsafeDowncast($0, to: Box<P>.self).value }
        sections.leave(section)
        return service
    }

    /// What the nearest scope says that knows the key; empty if the scope is closed.
    @inline(__always)
    private func publishedWord(_ type: ObjectIdentifier, _ name: String?) -> PublishedWord {
        let nothing = PublishedWord(bits: PublishedWord.empty)
        guard !isClosing.load(ordering: .sequentiallyConsistent) else { return nothing }
        if let bits = published.word(of: type, name) { return PublishedWord(bits: bits) }
        let inherited = uncountedParent?._withUnsafeGuaranteedRef { $0.nearestWord(type, name) }
        guard let inherited, !inherited.has(PublishedWord.scoped) else { return nothing }
        return inherited
    }

    /// What this or the nearest scope above says that knows the key.
    private func nearestWord(_ type: ObjectIdentifier, _ name: String?) -> PublishedWord? {
        if let bits = published.word(of: type, name) { return PublishedWord(bits: bits) }
        return uncountedParent?._withUnsafeGuaranteedRef { $0.nearestWord(type, name) }
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
