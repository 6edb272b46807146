extension ServiceProvider {
    /// An object that somebody else keeps alive.
    ///
    /// ```swift
    /// try locator.register((any Delegate).self, .weak(controller) { $0 })
    /// ```
    ///
    /// While it lives it is found; afterwards the locator looks on in the scopes above, and says
    /// `released` if there is none. What is not an object is refused by the compiler.
    ///
    /// - Parameters:
    ///   - object: The object, which this does not keep alive.
    ///   - convert: Gives the object as the type of the registration, as a rule `{ $0 }`. Runs with
    ///     each resolve.
    public static func weak<Object: AnyObject & Sendable>(
        _ object: Object, as convert: @escaping @Sendable (Object) -> P
    ) -> Self {
        Self(.weak(WeakBox(object, as: convert)))
    }

    /// A value that forwards to an object that somebody else keeps alive.
    ///
    /// ```swift
    /// try locator.register((any Mailer).self, .weakProxy(of: mailer) { MailerWeakProxy($0) })
    /// ```
    ///
    /// It is always found. What it does once the object is gone is its own matter; one that
    /// `@WeakProxy` has written throws ``ServiceLocatorError`` with code `released`.
    ///
    /// - Parameters:
    ///   - object: The object, which this does not keep alive.
    ///   - make: Makes the forwarding value, at once; it must not keep the object alive either.
    public static func weakProxy<Object: AnyObject & Sendable>(
        of object: Object, _ make: (Object) -> P
    ) -> Self {
        let reference = WeakReference(object: object)
        return Self(.weakProxy(Box(make(object)), isAlive: { reference.object != nil }))
    }
}
