#if Macros && Requests && Lifecycle && Hummingbird
import DataRequestCore
import DataRequestService
import Foundation
import HTTPTypes
import Logging
import ServiceLifecycle
import ServiceLocator
import ServiceLocatorLifecycle
import Skiathos
import SkiathosHummingbird
import SkiathosLifecycle

/// Uses of the numbers that requests, their transport and what runs them take.
enum RequestNumbers {
    static let uses = bodies + policies + waits + limits + downloads + transports + lifecycles

    private struct Track: Codable, Sendable { var title: String }

    private static let list = ScriptedAnswer.json("[{\"title\":\"Solace\"},{\"title\":\"Elite\"}]")

    /// Runs with a service, unless its configuration is refused.
    ///
    /// With a policy for retries the first answer is a failure; a wait that begins after it is cancelled.
    static func withService(
        answers: [ScriptedAnswer] = [list],
        _ change: @Sendable (inout DataRequestService.Configuration) -> Void = { _ in },
        _ body: @escaping @Sendable (DataRequestService) async throws -> Void
    ) async throws {
        let (waits, wait) = AsyncStream.makeStream(of: Void.self)
        var configuration = DataRequestService.Configuration()
        configuration.retry = .never
        configuration.clock = ReportingClock { wait.yield() }
        change(&configuration)
        guard let base = URL(string: "https://music.example/v1"), let first = answers.first else {
            return
        }
        let transport = RecordingTransport(clock: configuration.clock)
            .on(nil, "/v1/*", first, then: Array(answers.dropFirst()))
        let service = try DataRequestService(
            environment: ServerEnvironment("test", baseURL: base), transport: transport,
            configuration: configuration)
        let task = Task {
            defer { wait.finish() }
            try await body(service)
        }
        for await _ in waits { task.cancel() }
        let result = await task.result
        await service.shutDown()
        try result.get()
    }

    private static let unlimited = RequestOptions.TimeLimits(response: nil, idle: nil, total: nil)

    @Sendable private static func get(_ service: DataRequestService) async throws {
        let request = DataRequest(.get, "tracks").timeLimits(unlimited)
        _ = try await service.data(for: request)
    }

    private static func configured(
        _ names: String..., answers: [ScriptedAnswer] = [list],
        _ change: @escaping @Sendable (inout DataRequestService.Configuration, Int) -> Void
    ) -> NumberUse {
        .count(names) { number in
            try await withService(answers: answers, { change(&$0, number) }, get)
        }
    }

    private static func timed(
        _ names: String..., answers: [ScriptedAnswer] = [.status(.serviceUnavailable), list],
        _ change: @escaping @Sendable (inout DataRequestService.Configuration, Duration) -> Void
    ) -> NumberUse {
        .time(names) { time in
            try await withService(answers: answers, { change(&$0, time) }, get)
        }
    }

    private static let bodies: [NumberUse] = [
        .count(["ByteStream.collect(upTo)"]) { number in
            _ = try await ByteStream(Data([1, 2, 3])).collect(upTo: number)
        },
        .count(["ByteStream.length"]) { number in
            var bytes = ByteStream(Data([1, 2, 3]))
            bytes.length = Int64(number)
            _ = try await bytes.collect(upTo: 2)
        },
        .count(["DataRequest.maximumBodySize(_)", "RequestOptions.maximumBodySize"]) { number in
            try await withService {
                let request = DataRequest(.get, "tracks").maximumBodySize(number)
                _ = try await $0.data(for: request)
            }
        },
        .count(["RequestBody.stream(length)", "RequestBody.length"]) { number in
            try await withService {
                let body = RequestBody.stream(length: Int64(number)) { ByteStream(Data([1])) }
                _ = try await $0.response(for: DataRequest(.post, "tracks").body(body))
            }
        },
        .count(["ElementLimits.depth", "ElementLimits.elementSize", "ElementLimits.envelopeSize"]) {
            number in
            for field in [\ElementLimits.depth, \.elementSize, \.envelopeSize] {
                var limits = ElementLimits()
                limits[keyPath: field] = number
                try await withService { [limits] service in
                    let request = DataRequest(.get, "tracks")
                    for try await _ in service.elements(
                        of: Track.self, from: request, limits: limits)
                    {}
                }
            }
        },
        configured("DataRequestService.Configuration.maximumBodySize") {
            $0.maximumBodySize = $1
        },
        configured(
            "DataRequestService.Configuration.maximumFailureBodySize", answers: [.status(.notFound)]
        ) { $0.maximumFailureBodySize = $1 },
        configured("Decompression.maximumRatio", "Decompression.maximumSize") {
            $0.decompression.maximumRatio = $1
            $0.decompression.maximumSize = Int64($1)
        },
    ]

    private static let policies: [NumberUse] = [
        configured("CircuitBreakerPolicy.failures") {
            $0.circuitBreaker = CircuitBreakerPolicy(failures: $1)
        },
        configured("ReachabilityPolicy.failures") {
            $0.reachability = ReachabilityPolicy(failures: $1)
        },
        configured(
            "ConditionalRequestPolicy.maximumSize", "ConditionalRequestPolicy.maximumBodySize",
            "ConditionalRequestPolicy.maximumCount"
        ) {
            $0.conditionalRequests = ConditionalRequestPolicy(
                maximumSize: $1, maximumBodySize: $1, maximumCount: $1)
        },
        configured(
            "RedirectPolicy.follow(max)", answers: [.status(.found), list]
        ) { $0.redirects = .follow(max: $1) },
        configured(
            "RedirectPolicy.sameOrigin(max)", answers: [.status(.found), list]
        ) { $0.redirects = .sameOrigin(max: $1) },
        configured(
            "RetryPolicy.maximumAttempts", answers: [.status(.serviceUnavailable), list]
        ) { $0.retry = RetryPolicy(maximumAttempts: $1, baseDelay: .zero) },
    ]

    private static let waits: [NumberUse] = [
        timed("CircuitBreakerPolicy.coolDown") {
            $0.circuitBreaker = CircuitBreakerPolicy(failures: 1, coolDown: $1)
            $0.retry = RetryPolicy(maximumAttempts: 3, baseDelay: .zero)
        },
        timed(
            "ReachabilityPolicy.probeDelay", "ReachabilityPolicy.maximumProbeDelay",
            answers: [.failure(.connectionFailed), list]
        ) {
            $0.reachability = ReachabilityPolicy(
                failures: 1, probePath: "probe", probeDelay: $1, maximumProbeDelay: $1)
        },
        timed("RetryPolicy.baseDelay") { $0.retry = RetryPolicy(baseDelay: $1) },
        timed("RetryPolicy.maximumDelay") { $0.retry = RetryPolicy(maximumDelay: $1) },
        timed("RetryPolicy.maximumRetryAfter", "RetryPolicy.maximumWait") {
            $0.retry = RetryPolicy(maximumRetryAfter: $1, maximumWait: $1)
        },
        timed("DataRequestService.Configuration.failureBodyTimeLimit") {
            $0.failureBodyTimeLimit = $1
        },
        timed("DataRequestService.Configuration.shutdownDeadline") { $0.shutdownDeadline = $1 },
        .real(["RetryPolicy.factor"]) { factor in
            let answers: [ScriptedAnswer] = [
                .status(.serviceUnavailable), .status(.serviceUnavailable), list,
            ]
            try await withService(
                answers: answers,
                {
                    $0.retry = RetryPolicy(maximumAttempts: 9, baseDelay: .zero, factor: factor)
                },
                get)
            try await withService(
                answers: answers,
                { $0.retry = RetryPolicy(baseDelay: .seconds(Int64.max / 2), factor: factor) },
                get)
        },
        .time(["DataRequestService.shutDown(deadline)"]) { time in
            try await withService { await $0.shutDown(deadline: time) }
        },
        .time(["ScriptedAnswer.delayed(by)", "ScriptedAnswer.delay"]) { time in
            try await withService(answers: [list.delayed(by: time)], { _ in }, get)
        },
    ]

    private static let limits: [NumberUse] = [
        .time([
            "RequestOptions.TimeLimits.response", "RequestOptions.TimeLimits.idle",
            "RequestOptions.TimeLimits.total",
        ]) { time in
            for limits in [
                RequestOptions.TimeLimits(response: time, idle: nil, total: nil),
                RequestOptions.TimeLimits(response: nil, idle: time, total: nil),
                RequestOptions.TimeLimits(response: nil, idle: nil, total: time),
            ] {
                try? await withService {
                    let request = DataRequest(.get, "tracks").timeLimits(limits)
                    _ = try await $0.data(for: request)
                }
            }
        }
    ]

    private static let downloads: [NumberUse] = [
        .count([
            "DownloadOptions.maximumResumptions", "DownloadOptions.maximumSize",
            "DownloadOptions.reservedSpace",
        ]) { number in
            let file = FileManager.default.temporaryDirectory
                .appendingPathComponent("numbers-\(UUID())")
            defer { try? FileManager.default.removeItem(at: file) }
            var changed: [DownloadOptions] = Array(repeating: DownloadOptions(), count: 3)
            changed[0].maximumResumptions = number
            changed[1].maximumSize = Int64(number)
            changed[2].reservedSpace = Int64(number)
            for options in changed {
                try? await withService(
                    answers: [.text("abcdef").failing(.connectionLost, after: 3), .text("abcdef")]
                ) {
                    _ = try await $0.download(DataRequest(.get, "file"), to: file, options: options)
                }
            }
        },
        .count([
            "RecordingTransport.maximumBodySize", "ScriptedAnswer.failing(after)",
            "ScriptedAnswer.inPieces(of)", "ScriptedAnswer.length",
        ]) { number in
            _ = RecordingTransport(maximumBodySize: number)
            var long = ScriptedAnswer.text("abc")
            long.length = Int64(number)
            for answer in [
                .text("abc").failing(.connectionLost, after: number),
                .text("abc").inPieces(of: number),
                long,
            ] as [ScriptedAnswer] {
                try? await withService(answers: [answer], { _ in }) {
                    _ = try await $0.get("text", as: String.self)
                }
            }
        },
    ]

    private static let transports: [NumberUse] = [
        .count([
            "AsyncHTTPTransport.Configuration.connectionsPerHost",
            "AsyncHTTPTransport.Proxy.http(port)", "AsyncHTTPTransport.Proxy.socks5(port)",
        ]) { number in
            var counted = AsyncHTTPTransport.Configuration()
            counted.connectionsPerHost = number
            var proxied = AsyncHTTPTransport.Configuration()
            proxied.proxy = .http(host: "127.0.0.1", port: number)
            var tunnelled = AsyncHTTPTransport.Configuration()
            tunnelled.proxy = .socks5(host: "127.0.0.1", port: number)
            for configuration in [counted, proxied, tunnelled] { try? await open(configuration) }
        },
        .time([
            "AsyncHTTPTransport.Configuration.connectLimit",
            "AsyncHTTPTransport.Configuration.continueLimit",
            "AsyncHTTPTransport.Configuration.idleConnectionLimit",
            "AsyncHTTPTransport.Configuration.waitingLimit",
        ]) { time in
            for field in [
                \AsyncHTTPTransport.Configuration.connectLimit, \.continueLimit,
                \.idleConnectionLimit, \.waitingLimit,
            ] {
                var configuration = AsyncHTTPTransport.Configuration()
                configuration[keyPath: field] = time
                try? await open(configuration)
            }
        },
    ]

    /// Sends a request to a port at which nothing listens.
    private static func open(_ configuration: AsyncHTTPTransport.Configuration) async throws {
        guard let base = URL(string: "http://127.0.0.1:1/v1") else { return }
        let service = try DataRequestService(
            environment: ServerEnvironment("test", baseURL: base),
            transport: AsyncHTTPTransport(configuration: configuration))
        let request = DataRequest(.get, "tracks").timeLimits(.init(total: .milliseconds(300)))
        _ = try? await service.data(for: request)
        await service.shutDown()
    }

    private static let lifecycles: [NumberUse] = [
        .time(["AppStateReactor.deadline"]) { time in
            let dal = try await DataAccessLayer.open(.inMemory, entities: Parcel.self)
            let reactor = AppStateReactor(
                [dal], deadline: time, signals: [], whenBlocked: { _ in })
            try await reactor.run {}
        },
        .time(["ServiceGroup.maximumGracefulShutdownDuration"]) { time in
            let locator = ServiceLocator(named: "numbers")
            let (starts, start) = AsyncStream.makeStream(of: Void.self)
            try locator.register(Idle.self) { _ in Idle(start) }
            let group = try await ServiceGroup(
                locator: locator, maximumGracefulShutdownDuration: time,
                logger: Logger(label: "numbers") { _ in SwiftLogNoOpLogHandler() })
            async let run: Void = group.run()
            for await _ in starts { break }
            await group.triggerGracefulShutdown()
            // A service that has no time left is cancelled.
            do { try await run } catch {}
            try await locator.close()
        },
        .time(["ServerSentEventOptions.heartbeat", "ServerSentEventOptions.retry"]) { time in
            _ = ServerSentEventOptions(heartbeat: time, retry: time)
        },
    ]
}

/// A service that runs until it is asked to stop.
private struct Idle: Service {
    let start: AsyncStream<Void>.Continuation

    init(_ start: AsyncStream<Void>.Continuation) { self.start = start }

    func run() async throws {
        start.yield()
        try await gracefulShutdown()
    }
}

/// The clock of the system, which reports when something begins to wait.
struct ReportingClock: Clock {
    let report: @Sendable () -> Void

    var now: ContinuousClock.Instant { ContinuousClock().now }
    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        report()
        try await ContinuousClock().sleep(until: deadline, tolerance: tolerance)
    }
}
#endif
