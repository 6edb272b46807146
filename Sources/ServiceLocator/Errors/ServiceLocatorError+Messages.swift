// The texts of the errors.
extension ServiceLocatorError {
    static func duplicate(_ new: Registration, _ old: Registration, scope: String) -> Self {
        Self(
            .duplicate,
            "\(new.key) is registered twice in scope '\(scope)': at \(new.place), and first at "
                + "\(old.place). Remove one, give one a name, or use replace to change it.",
            path: [new.key.description], places: [new.place, old.place])
    }

    static func cycle(_ path: [String], places: [String] = []) -> Self {
        Self(
            .cycle,
            "These services need each other in a cycle: \(path.joined(separator: " -> ")). Let one "
                + "of them resolve the other later, when it has been made.",
            path: path, places: places)
    }

    static func asynchronous(_ registration: Registration, path: [String]) -> Self {
        Self(
            .asynchronous,
            "\(registration.key) is registered as asynchronous at \(registration.place), but was "
                + "resolved synchronously\(needing(path)). Use 'try await resolve'"
                + (path.count > 1
                    ? ", and register \(path[path.count - 2]) as asynchronous, too." : "."),
            path: path, places: [registration.place])
    }

    static func released(_ registration: Registration, path: [String]) -> Self {
        Self(
            .released,
            "The object of the weak registration of \(registration.key) at \(registration.place) "
                + "is gone\(needing(path)). Keep it alive as long as it is used, or register it "
                + "as an instance.",
            path: path, places: [registration.place])
    }

    /// The object that a weak proxy of a type forwards to is gone.
    ///
    /// Proxies throw this, those written by hand and those that `@WeakProxy` writes.
    ///
    /// ```swift
    /// guard let target else { throw ServiceLocatorError.released((any Mailer).self) }
    /// ```
    public static func released(_ type: Any.Type) -> Self {
        Self(
            .released,
            "The object behind the weak proxy of \(type) is gone. Keep it alive as long as the "
                + "proxy is used.",
            path: [String(describing: type)])
    }

    static func closed(_ scope: String, path: [String]) -> Self {
        Self(
            .closed,
            "Scope '\(scope)' is closed, or being closed, and cannot resolve "
                + "\(path.last ?? "a service")\(needing(path)). Resolve before close(), or use an "
                + "open scope.", path: path)
    }

    static func closed(_ scope: String, doing action: String) -> Self {
        Self(
            .closed,
            "Scope '\(scope)' is closed, or being closed: it cannot \(action). Do that before "
                + "close().")
    }

    static func overrideEnded(path: [String]) -> Self {
        Self(
            .closed,
            "\(path.last ?? "A service") was resolved under an override that has ended"
                + "\(needing(path)). Let tasks end before the override does.", path: path)
    }

    static func failed(_ registration: Registration, _ cause: any Error, path: [String]) -> Self {
        Self(
            .constructionFailed,
            "Making \(registration.key), registered at \(registration.place), has failed"
                + "\(needing(path)). The next resolve tries again.",
            path: path, places: [registration.place], cause: cause)
    }

    static func wrongType(_ key: ServiceKey, expected: Any.Type, found: Any.Type) -> Self {
        Self(
            .wrongType,
            "\(key) was found as \(found) where \(expected) was expected. Look for a module that "
                + "is linked into the program twice.", path: [key.description])
    }

    static func nothingToReplace(_ key: ServiceKey, scope: String, place: String) -> Self {
        Self(
            .nothingToReplace,
            "Scope '\(scope)' has no registration of \(key) that \(place) could replace. Use "
                + "register, or replace it in the scope that has it.",
            path: [key.description], places: [place])
    }

    static func unendable(_ registration: Registration) -> Self {
        Self(
            .unsupported,
            "\(registration.key) at \(registration.place) is transient and has an onClose, but "
                + "the locator does not keep it. Make it scoped, or let its users end it.",
            path: [registration.key.description], places: [registration.place])
    }

    static func endsAsynchronously(_ registration: Registration, path: [String]) -> Self {
        Self(
            .asynchronous,
            "\(registration.key), registered at \(registration.place), has an onClose, which a "
                + "synchronous override could not await. Use 'try await withOverride'.",
            path: path, places: [registration.place])
    }

    static func closeFailed(_ what: String, _ problems: [Self]) -> Self {
        Self(
            .closeFailed,
            "\(problems.count) of the services of \(what) failed to end; everything else has "
                + "ended.", path: problems.flatMap(\.path), problems: problems)
    }

    static func hookFailed(_ registration: Registration, _ cause: any Error) -> Self {
        Self(
            .closeFailed,
            "The onClose of \(registration.key), registered at \(registration.place), has failed.",
            path: [registration.key.description], places: [registration.place], cause: cause)
    }

    static func verificationFailed(_ scope: String, _ problems: [Self]) -> Self {
        Self(
            .verificationFailed,
            "Scope '\(scope)' has \(problems.count) problem\(problems.count == 1 ? "" : "s").",
            problems: problems)
    }

    /// The services that need the last one of a path, for the middle of a sentence.
    static func needing(_ path: [String]) -> String {
        path.count < 2 ? "" : ", needed by \(path.dropLast().joined(separator: " -> "))"
    }
}
