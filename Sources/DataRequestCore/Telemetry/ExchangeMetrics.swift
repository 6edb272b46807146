#if RequestCore
import SkiathosLocks
import Metrics
import Synchronization

/// The metrics of exchanges, each made with its first use and kept.
final class ExchangeMetrics: Sendable {
    private struct Key: Hashable {
        var method: String
        var host: String
        var port: Int
        var name: String?
        var end: ExchangeEnd?
    }

    private struct State {
        var durations: [Key: Timer] = [:]
        var active: [Key: Meter] = [:]
    }

    /// The largest number of sets of dimensions; further ones are counted without host and
    /// name.
    static let maximumSets = 1_000

    private let factory: any MetricsFactory
    private let state = Lock(State())

    /// Nil if the factory discards metrics.
    init?(_ factory: any MetricsFactory) {
        guard !(factory is NOOPMetricsHandler) else { return nil }
        self.factory = factory
    }

    func active(_ exchange: Exchange) -> Meter {
        var key = Key(method: exchange.method, host: exchange.host, port: exchange.port)
        return state.withLock { state in
            if let meter = state.active[key] { return meter }
            if state.active.count >= Self.maximumSets { shorten(&key) }
            if let meter = state.active[key] { return meter }
            let meter = Meter(
                label: "http.client.active_requests", dimensions: dimensions(key), factory: factory)
            state.active[key] = meter
            return meter
        }
    }

    func record(_ duration: Duration, _ exchange: Exchange, _ end: ExchangeEnd) {
        var key = Key(
            method: exchange.method, host: exchange.host, port: exchange.port, name: exchange.name,
            end: end)
        let timer = state.withLock { state in
            if let timer = state.durations[key] { return timer }
            if state.durations.count >= Self.maximumSets { shorten(&key) }
            if let timer = state.durations[key] { return timer }
            let timer = Timer(
                label: "http.client.request.duration", dimensions: dimensions(key),
                preferredDisplayUnit: .seconds, factory: factory)
            state.durations[key] = timer
            return timer
        }
        timer.recordNanoseconds(Int64(min(max(0, duration.inSeconds), 9e9) * 1e9))
    }

    private func shorten(_ key: inout Key) {
        key.host = "_OTHER"
        key.port = 0
        key.name = nil
    }

    private func dimensions(_ key: Key) -> [(String, String)] {
        var dimensions = [
            ("http.request.method", key.method), ("server.address", key.host),
            ("server.port", "\(key.port)"),
        ]
        if let name = key.name { dimensions.append(("url.template", name)) }
        if let status = key.end?.status {
            dimensions.append(("http.response.status_code", "\(status)"))
        }
        if let type = key.end?.errorType { dimensions.append(("error.type", type)) }
        return dimensions
    }
}
#endif
