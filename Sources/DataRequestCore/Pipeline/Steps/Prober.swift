#if RequestCore
import HTTPTypes
import SkiathosLocks
import Synchronization

/// Probes the base host; refers to the service weakly, since the service owns the prober.
final class Prober: Sendable {
    private final class Holder: Sendable {
        weak let service: DataRequestService?
        init(_ service: DataRequestService) { self.service = service }
    }

    private let holder = Lock<Holder?>(nil)

    /// Sets the service whose host is probed; called once, when the service is made.
    func serve(_ service: DataRequestService) {
        let made = Holder(service)
        holder.withLock { $0 = made }
    }

    /// Sends one request, whose outcome `ReachabilityStep` records.
    func probe() async {
        guard let service = holder.withLock({ $0 })?.service,
            let path = service.configuration.reachability.probePath
        else { return }
        let limits = RequestOptions.TimeLimits(
            response: .seconds(10), idle: .seconds(10), total: .seconds(20))
        let request = DataRequest(.head, path).named("reachability.probe").retrying(.never)
            .timeLimits(limits).expecting(ExpectedStatuses.any)
        _ = try? await service.perform(request) { _ in }
    }
}
#endif
