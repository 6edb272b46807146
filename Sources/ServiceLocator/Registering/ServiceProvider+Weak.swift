extension ServiceProvider {
    /// A weak reference to an object that its owner keeps alive.
    ///
    /// ```swift
    /// try locator.register((any Delegate).self, .weak(controller) { $0 })
    /// ```
    ///
    /// While the object lives, it is found. Afterwards the locator searches the scopes above,
    /// and throws `released` if none has the key. The compiler refuses values that are not
    /// class instances.
    ///
    /// - Parameters:
    ///   - object: The object, which this does not keep alive.
    ///   - convert: Converts the object to the registered type, usually `{ $0 }`. Runs with
    ///     each resolve.
    public static func weak<Object: AnyObject & Sendable>(
        _ object: Object, as convert: @escaping @Sendable (Object) -> P
    ) -> Self {
        Self(.weak(WeakBox(object, as: convert)))
    }

    /// A proxy that forwards to an object without keeping it alive.
    ///
    /// ```swift
    /// try locator.register((any Mailer).self, .weakProxy(of: mailer) { MailerWeakProxy($0) })
    /// ```
    ///
    /// The proxy is always found. It decides what to do once the object is gone. A proxy that
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
