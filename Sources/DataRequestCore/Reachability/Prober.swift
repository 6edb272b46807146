#if RequestCore
import HTTPTypes
import Locks
import Synchronization

/// Asks the base host whether it is there; knows the service weakly, as the service owns it.
final class Prober: Sendable {
    private final class Holder: Sendable {
        weak let service: DataRequestService?
        init(_ service: DataRequestService) { self.service = service }
    }

    private let holder = Lock<Holder?>(nil)

    /// Says whose host is asked; called once, when the service is made.
    func serve(_ service: DataRequestService) {
        let made = Holder(service)
        holder.withLock { $0 = made }
    }

    /// Sends one request, whose outcome is noted by the step that sees all.
    func ask() async {
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
