extension ServiceLocatorError.Code {
    /// Nothing is registered for what was asked for, in the scope that was asked and those above.
    public static let missing = Self(rawValue: "missing")
    /// The scope has a registration for the same type and name already.
    public static let duplicate = Self(rawValue: "duplicate")
    /// Services need each other in a circle, or a scope was to be closed by what it waits for.
    public static let cycle = Self(rawValue: "cycle")
    /// What was found is of another type, as when a module is linked twice.
    public static let wrongType = Self(rawValue: "wrongType")
    /// The object of a weak registration is gone.
    public static let released = Self(rawValue: "released")
    /// The scope is closed or being closed.
    public static let closed = Self(rawValue: "closed")
    /// Something asynchronous was asked for synchronously.
    public static let asynchronous = Self(rawValue: "asynchronous")
    /// The closure that makes a service has thrown.
    public static let constructionFailed = Self(rawValue: "constructionFailed")
    /// A service of a scope needs what only a scope below has, and would outlive it.
    public static let captive = Self(rawValue: "captive")
    /// The scope has no registration that could be replaced.
    public static let nothingToReplace = Self(rawValue: "nothingToReplace")
    /// A registration asks for what its lifetime cannot give.
    public static let unsupported = Self(rawValue: "unsupported")
    /// The verification has found problems, which the error lists.
    public static let verificationFailed = Self(rawValue: "verificationFailed")
    /// Services have failed to end, which the error lists; the others have ended.
    public static let closeFailed = Self(rawValue: "closeFailed")
}
