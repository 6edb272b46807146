#if Macros
import Testing

@Suite struct ExpansionTests {
    @Test func `every kind of member is forwarded`() {
        expectExpansion(
            of: """
                @WeakProxy public protocol Mailer: Sendable {
                    /// Sends.
                    func send(_ text: String, to name: String) async throws -> Int
                    func flush()
                    @Fallback(0) var waiting: Int { get set }
                    @MainActor var sender: String? { get async }
                }
                """,
            to: """
                public protocol Mailer: Sendable {
                    /// Sends.
                    func send(_ text: String, to name: String) async throws -> Int
                    func flush()
                    var waiting: Int { get set }
                    @MainActor var sender: String? { get async }
                }

                public struct MailerWeakProxy: Mailer {
                    private weak let target: (any Mailer & AnyObject)?

                    public init(_ target: any Mailer & AnyObject) {
                        self.target = target
                    }

                    public var waiting: Int {
                        get {
                            guard let target else {
                                return 0
                            }
                            return target.waiting
                        }
                        nonmutating set {
                            guard var target else {
                                return
                            }
                            target.waiting = newValue
                        }
                    }

                    @MainActor public var sender: String? {
                        get async {
                            guard let target else {
                                return nil
                            }
                            return await target.sender
                        }
                    }

                    public func send(_ text: String, to name: String) async throws -> Int {
                        guard let target else {
                            throw ServiceLocatorError.released((any Mailer).self)
                        }
                        return try await target.send(text, to: name)
                    }

                    public func flush() {
                        guard let target else {
                            return
                        }
                        return target.flush()
                    }
                }
                """)
    }

    @Test func `the proxy of a protocol of classes is a class`() {
        expectExpansion(
            of: "@WeakProxy protocol Mailer: AnyObject {\n    func flush()\n}",
            to: """
                protocol Mailer: AnyObject {
                    func flush()
                }

                final class MailerWeakProxy: Mailer {
                    private weak let target: (any Mailer & AnyObject)?

                    init(_ target: any Mailer & AnyObject) {
                        self.target = target
                    }

                    func flush() {
                        guard let target else {
                            return
                        }
                        return target.flush()
                    }
                }
                """)
    }
}
#endif
