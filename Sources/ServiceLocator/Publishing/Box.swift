/// A type-erased box.
typealias ErasedBox = any AnyObject & Sendable

/// Holds a service as the type that it was registered for.
final class Box<P: Sendable>: ServiceHolder {
    let value: P

    init(_ value: P) { self.value = value }

    var service: any Sendable { value }
}

/// A box whose service type the caller does not need.
protocol ServiceHolder: AnyObject, Sendable {
    var service: any Sendable { get }
}

/// A weak reference to an object that its owner keeps alive.
struct WeakReference<Object: AnyObject & Sendable>: Sendable {
    weak let object: Object?
}

/// A service that its registration does not keep alive.
protocol WeakSource: AnyObject, Sendable {
    var isAlive: Bool { get }

    /// A box with the service, or nil if the object is gone. Runs user code.
    func loadBox() -> ErasedBox?
}

final class WeakBox<P: Sendable>: WeakSource {
    /// Runs code of the user.
    let load: @Sendable () -> P?
    private let isTargetAlive: @Sendable () -> Bool

    init<Object: AnyObject & Sendable>(
        _ object: Object, as convert: @escaping @Sendable (Object) -> P
    ) {
        let reference = WeakReference(object: object)
        load = { reference.object.map(convert) }
        isTargetAlive = { reference.object != nil }
    }

    var isAlive: Bool { isTargetAlive() }

    func loadBox() -> ErasedBox? { load().map(Box.init) }
}
