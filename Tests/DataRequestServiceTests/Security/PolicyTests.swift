#if Requests
import DataRequestCore
import Foundation
import TestSupport
import Testing

@testable import DataRequestService

@Suite(.generousTimeLimit) struct PolicyTests {
    private let pins: [Pin]

    init() throws {
        pins = try ["a", "b"].map {
            try .publicKey(
                sha256: Data(repeating: $0.utf8.first ?? 0, count: 32).base64EncodedString())
        }
    }

    @Test(arguments: ["", "abc", "r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5", "not base64!"])
    func `a digest that is not one of SHA-256 is refused`(_ text: String) {
        let error = #expect(throws: DataRequestError.self) { try Pin.publicKey(sha256: text) }
        #expect(error?.code == .invalidPolicy)
    }

    @Test func `a set needs a different backup pin, unless a single pin is allowed`()
        throws
    {
        for few in [[], [pins[0]], [pins[0], pins[0]]] {
            let error = #expect(throws: DataRequestError.self) {
                try PinSet(hosts: "example.com", pins: few)
            }
            #expect(error?.code == .invalidPolicy)
        }
        _ = try PinSet(hosts: "example.com", pins: [pins[0]], allowingSinglePin: true)
        #expect(throws: DataRequestError.self) {
            try PinSet(hosts: "example.com", pins: [], allowingSinglePin: true)
        }
    }

    @Test(arguments: ["", "*", "*.", "a*.com", "https://example.com", "**", ".com"])
    func `an invalid host is refused`(_ host: String) {
        let error = #expect(throws: DataRequestError.self) { try PinSet(hosts: host, pins: pins) }
        #expect(error?.code == .invalidPolicy)
    }

    @Test func `the most specific set of pins applies, and wildcards match whole labels`() throws {
        let policy = SecurityPolicy(pins: [
            try PinSet(hosts: "**.example.com", pins: pins),
            try PinSet(hosts: "*.example.com", pins: pins),
            try PinSet(hosts: "api.example.com", pins: pins),
        ])
        let expected: [String: SecurityPolicy.Demand] = [
            "api.example.com": .pinned(2), "API.Example.COM.": .pinned(2),
            "www.example.com": .pinned(1), "a.b.example.com": .pinned(0),
            "example.com": .pinned(0), "badexample.com": .trusted, "example.com.evil": .trusted,
        ]
        for (host, demand) in expected {
            let found = try policy.demand(host: host, isTLS: true, now: Date())
            #expect(found == demand, "\(host)")
        }
    }

    @Test func `cleartext is sent only where the policy allows it`() throws {
        let hosts = [
            ("localhost", true), ("a.localhost", true), ("127.0.0.1", true), ("127.9.8.7", true),
            ("::1", true), ("[::1]", true), ("LOCALHOST", true), ("localhost.evil", false),
            ("127.0.0.1.evil", false), ("127.0.0.256", false), ("128.0.0.1", false),
            ("127.1", false), ("example.com", false), ("notlocalhost", false),
        ]
        for (host, isLoopback) in hosts {
            for cleartext in [SecurityPolicy.Cleartext.refused, .loopbackOnly, .allowed] {
                let policy = SecurityPolicy(cleartext: cleartext)
                let isAllowed =
                    (try? policy.demand(host: host, isTLS: false, now: Date())) == .nothing
                let expected =
                    cleartext == .allowed || (cleartext == .loopbackOnly && isLoopback)
                #expect(isAllowed == expected, "\(host) \(cleartext)")
            }
        }
    }

    @Test func `a host with pins gets no request in cleartext`() throws {
        let policy = SecurityPolicy(
            cleartext: .allowed, pins: [try PinSet(hosts: "localhost", pins: pins)])
        let error = #expect(throws: DataRequestError.self) {
            try policy.demand(host: "localhost", isTLS: false, now: Date())
        }
        #expect(error?.code == .cleartextRefused)
    }

    @Test func `expired pins refuse the host or are ignored, as said`() throws {
        let expiry = Date(timeIntervalSince1970: 1_000_000)
        func demand(
            _ after: PinSet.AfterExpiry, _ trust: SecurityPolicy.Trust, at now: Date
        ) throws -> SecurityPolicy.Demand {
            let set = try PinSet(
                hosts: "example.com", pins: pins, expires: expiry, afterExpiry: after)
            return try SecurityPolicy(trust: trust, pins: [set])
                .demand(host: "example.com", isTLS: true, now: now)
        }
        let before = try demand(.refuse, .system, at: expiry - 1)
        #expect(before == .pinned(0))
        let error = #expect(throws: DataRequestError.self) {
            try demand(.refuse, .system, at: expiry)
        }
        #expect(error?.code == .pinsExpired)
        #expect(error?.message.contains("expired on 1970-01-12T13:46:40Z") == true)
        let ignored = try demand(.ignorePins, .system, at: expiry)
        #expect(ignored == .trusted)
        #expect(throws: DataRequestError.self) { try demand(.ignorePins, .pinsOnly, at: expiry) }
    }

    @Test func `a policy of pins alone refuses a host without pins`() throws {
        let policy = SecurityPolicy(
            trust: .pinsOnly, pins: [try PinSet(hosts: "example.com", pins: pins)])
        let error = #expect(throws: DataRequestError.self) {
            try policy.demand(host: "other.com", isTLS: true, now: Date())
        }
        #expect(error?.code == .untrusted)
    }

    @Test func `a request that the policy refuses is known to be unsent`() async throws {
        let expired = try PinSet(
            hosts: "example.com", pins: pins, expires: Date(timeIntervalSince1970: 0))
        let refusals: [(String, SecurityPolicy, DataRequestError.Code)] = [
            ("http://example.com/", SecurityPolicy(), .cleartextRefused),
            ("https://example.com/", SecurityPolicy(pins: [expired]), .pinsExpired),
        ]
        for (address, policy, code) in refusals {
            let url = try #require(URL(string: address))
            try await withTransport(policy) { transport in
                let error = await expectError(code) {
                    _ = try await transport.send(OutgoingRequest(url: url))
                }
                #expect(error?.isUnsent == true)
            }
        }
    }

    @Test func `the description of a policy shows no key`() throws {
        let policy = SecurityPolicy(
            identity: .init(chain: .pem(Data("chain".utf8)), key: .pem(Data("secret".utf8))))
        #expect(!"\(policy)".contains("\(Data("secret".utf8))"))
        #expect(!String(reflecting: policy).contains("secret"))
        var dumped = ""
        dump(policy, to: &dumped)
        #expect(dumped.contains("key not shown"))
        #expect(!dumped.contains("6 bytes"))
    }
}
#endif
