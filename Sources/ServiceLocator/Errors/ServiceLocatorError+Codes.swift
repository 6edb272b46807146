extension ServiceLocatorError.Code {
    /// The type and name have no registration in the scope or those above.
    public static let missing = Self(rawValue: "missing")
    /// The scope has a registration for the same type and name already.
    public static let duplicate = Self(rawValue: "duplicate")
    /// Services depend on each other in a cycle, or a scope would be closed by a service it
    /// waits for.
    public static let cycle = Self(rawValue: "cycle")
    /// The service has another type than the registration, as when a module is linked twice.
    public static let wrongType = Self(rawValue: "wrongType")
    /// The object of a weak registration is gone.
    public static let released = Self(rawValue: "released")
    /// The scope is closed or being closed.
    public static let closed = Self(rawValue: "closed")
    /// An asynchronous service was resolved synchronously.
    public static let asynchronous = Self(rawValue: "asynchronous")
    /// The closure that makes a service has thrown.
    public static let constructionFailed = Self(rawValue: "constructionFailed")
    /// A service depends on one that only a scope below has, and would outlive it.
    public static let captive = Self(rawValue: "captive")
    /// The scope has no registration that could be replaced.
    public static let nothingToReplace = Self(rawValue: "nothingToReplace")
    /// The options of a registration do not go with its lifetime.
    public static let unsupported = Self(rawValue: "unsupported")
    /// The verification has found problems, which the error lists.
    public static let verificationFailed = Self(rawValue: "verificationFailed")
    /// Services have failed to end, which the error lists; the others have ended.
    public static let closeFailed = Self(rawValue: "closeFailed")
}
