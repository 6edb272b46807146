@_exported public import ServiceLocator

#if Macros
/// Writes a type that forwards to an object and does not keep it alive.
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
/// Once the object is gone, members that throw throw `ServiceLocatorError` with code `released`,
/// optional results are nil, and what has no result does nothing, as does setting a property. For
/// all others ``Fallback(_:)`` says what they give; without it there is an error here, so nothing
/// traps later. The proxy of a protocol of classes is a class.
///
/// Not possible are associated types, `Self`, static members, initializers, subscripts, mutating
/// functions, variadic parameters and protocols that inherit members: each is refused with the
/// reason.
@attached(peer, names: suffixed(WeakProxy))
public macro WeakProxy() = #externalMacro(module: "WeakProxyMacros", type: "WeakProxyMacro")

/// What a member of a ``WeakProxy()`` gives once the object is gone.
///
/// ```swift
/// @Fallback("nobody") var name: String { get }
/// ```
///
/// - Parameter value: An expression, which is written into the proxy; with its type spelled out, as
///   in `Amount.zero`.
@attached(peer)
public macro Fallback(_ value: Any) =
    #externalMacro(module: "WeakProxyMacros", type: "FallbackMacro")
#endif
