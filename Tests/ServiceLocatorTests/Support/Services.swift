import ServiceLocator

protocol Clock: Sendable {
    var hour: Int { get }
}

struct SystemClock: Clock {
    let hour = 17
}

struct FixedClock: Clock {
    let hour: Int
}

protocol Mailer: Sendable {
    var clock: any Clock { get }
}

final class SMTPMailer: Mailer {
    let clock: any Clock

    init(clock: any Clock = SystemClock()) { self.clock = clock }
}

struct Greeter: Sendable {
    let mailer: any Mailer
}

struct Failure: Error, Equatable {
    var number = 1
}

/// An object that reports its release.
final class Probe: Sendable {
    private let released: @Sendable () -> Void

    init(_ released: @escaping @Sendable () -> Void = {}) { self.released = released }

    deinit { released() }
}

/// Two services that need each other.
struct Chicken: Sendable {
    static func make(_ locator: ServiceLocator) throws -> Chicken {
        _ = try locator.resolve(Egg.self)
        return Chicken()
    }
}

struct Egg: Sendable {
    static func make(_ locator: ServiceLocator) throws -> Egg {
        _ = try locator.resolve(Chicken.self)
        return Egg()
    }
}
