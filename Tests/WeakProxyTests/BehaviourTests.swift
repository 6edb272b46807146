#if Macros
import ServiceLocator
import Testing
import WeakProxies

@WeakProxy
protocol Printer: Sendable {
    func print(_ text: String) async throws -> Int
    func reset()
    func name(of tray: Int) -> String?
    func add(to sum: inout Int)
    func echo<Value: Sendable>(_ value: Value) throws -> Value
    @Fallback(-1) func pages(in tray: Int) -> Int
    @Fallback("none") var model: String { get }
    var title: String? { get set }
    @Fallback(0) var copies: Int { get nonmutating set }
    var paper: String? { get async throws }
}

@WeakProxy
@MainActor
protocol Display: AnyObject, Sendable {
    @Fallback(0) var brightness: Int { get set }
}

final class LaserPrinter: Printer {
    func print(_ text: String) async throws -> Int { text.count }
    func reset() {}
    func name(of tray: Int) -> String? { "tray \(tray)" }
    func add(to sum: inout Int) { sum += 1 }
    func echo<Value: Sendable>(_ value: Value) throws -> Value { value }
    func pages(in tray: Int) -> Int { tray }
    var model: String { "laser" }
    var title: String? {
        get { nil }
        set {}
    }
    var copies: Int {
        get { 2 }
        set {}
    }
    var paper: String? { get async throws { "A4" } }
}

final class Screen: Display {
    var brightness = 1
}

/// The weak proxy of "weak-proxy registration by protocol", as the macro writes it.
@Suite struct BehaviourTests {
    let locator = ServiceLocator()

    @Test func `a proxy forwards to its object`() async throws {
        let printer = LaserPrinter()
        try locator.register((any Printer).self, .weakProxy(of: printer) { PrinterWeakProxy($0) })
        let proxy: any Printer = try await locator.resolve()
        let printed = try await proxy.print("four")
        let paper = try await proxy.paper
        var sum = 1
        proxy.add(to: &sum)
        proxy.copies = 3
        #expect(printed == 4 && paper == "A4" && sum == 2)
        #expect(proxy.name(of: 1) == "tray 1" && proxy.pages(in: 2) == 2)
        #expect(proxy.model == "laser" && proxy.copies == 2)
        #expect(try proxy.echo("e") == "e")
        withExtendedLifetime(printer) {}
    }

    @Test func `a proxy without its object throws, or returns the fallback`() async throws {
        try locator.register(
            (any Printer).self, .weakProxy(of: LaserPrinter()) { PrinterWeakProxy($0) })
        let proxy: any Printer = try await locator.resolve()
        let error = await #expect(throws: ServiceLocatorError.self) {
            try await proxy.print("four")
        }
        #expect(error?.code == .released)
        #expect(error?.message.contains("Printer") == true)
        await #expect(throws: ServiceLocatorError.self) { try await proxy.paper }
        #expect(throws: ServiceLocatorError.self) { try proxy.echo(1) }
        var sum = 1
        proxy.add(to: &sum)
        proxy.copies = 3
        var writable = proxy
        writable.title = "x"
        proxy.reset()
        #expect(sum == 1 && proxy.copies == 0 && proxy.model == "none" && proxy.title == nil)
        #expect(proxy.name(of: 1) == nil && proxy.pages(in: 2) == -1)
    }

    @MainActor
    @Test func `a property can be set through a proxy`() {
        var screen: Screen? = Screen()
        guard let proxy = screen.map({ DisplayWeakProxy($0) }) else { return }
        proxy.brightness = 7
        #expect(screen?.brightness == 7 && proxy.brightness == 7)
        screen = nil
        proxy.brightness = 8
        #expect(proxy.brightness == 0)
    }
}
#endif
