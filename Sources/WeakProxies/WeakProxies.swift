@_exported public import ServiceLocator

#if Macros
/// Generates a type that forwards to an object and does not keep it alive.
///
/// ```swift
/// @WeakProxy protocol Mailer: Sendable {
///     func send(_ text: String) async throws
///     var sender: String? { get }
///     @Fallback(0) var waiting: Int { get }
/// }
/// // struct MailerWeakProxy: Mailer
///
/// try locator.register((any Mailer).self, .weakProxy(of: mailer) { MailerWeakProxy($0) })
/// ```
///
/// Once the object is gone, a member with ``Fallback(_:)`` has that result. Without one, a member
/// that throws any error throws `ServiceLocatorError` with code `released`. Optional results are nil.
/// Members without a result, and setters, do nothing. All other members need ``Fallback(_:)``; a
/// missing one is a compile error, so nothing traps later.
/// The proxy of a class-bound protocol is a class.
///
/// Not supported: associated types, `Self`, static members, initializers, subscripts, mutating
/// functions, variadic parameters and protocols that inherit members. Each is refused with the
/// reason.
@attached(peer, names: suffixed(WeakProxy))
public macro WeakProxy() = #externalMacro(module: "WeakProxyMacros", type: "WeakProxyMacro")

/// The result of a member of a ``WeakProxy()`` once the object is gone.
///
/// ```swift
/// @Fallback("unknown") var name: String { get }
/// ```
///
/// - Parameter value: An expression, which is written into the proxy; with its type spelled out, as
///   in `Amount.zero`.
@attached(peer)
public macro Fallback(_ value: Any) =
    #externalMacro(module: "WeakProxyMacros", type: "FallbackMacro")
#endif
