/// Decides whether a history is strictly serialisable: whether its operations could have run one
/// after the other, in an order that respects which calls had returned before others began.
///
/// The values that were read tell in which order the versions of each key came about, and with
/// that which operation must come before which; a cycle is a violation. The method is that of
/// Kingsbury and Alvaro, "Elle: Inferring Isolation Anomalies from Experimental Observations"
/// (2020), with the phenomena of Adya (1999).
///
/// Operations that are known to have failed leave nothing behind, but what their closures saw has
/// to fit as well. An operation that is `unknown` counts as done at some time after its call.
package struct HistoryChecker {
    private let history: [HistoryOperation]
    private let writers: WriterTable
    private var violations: [HistoryViolation] = []

    /// The violations of a history; none if it is strictly serialisable.
    package static func violations(of history: [HistoryOperation]) -> [HistoryViolation] {
        var checker = HistoryChecker(history)
        checker.check()
        return checker.violations + SerialOracle.violations(of: history)
            + Acknowledgements.violations(of: history)
    }

    private init(_ history: [HistoryOperation]) {
        self.history = history
        writers = WriterTable(history)
    }

    private mutating func check() {
        var collector = ViewCollector()
        for (index, operation) in history.enumerated() { collector.collect(operation, at: index) }
        let orders = VersionOrders(history, writers, collector.views)
        violations += collector.violations + orders.violations
        var graph = DependencyGraph(history)
        var versions: [(view: View, version: Int)] = []
        for (key, order) in orders.orders { checkValues(of: order, key) }
        for view in collector.views {
            guard let order = orders.orders[view.key] else { continue }
            if let version = order.version(of: view) {
                checkLast(of: view)
                versions.append((view, version))
            } else {
                explain(view, order)
            }
        }
        checkNothingIsLost(orders.orders, versions)
        for (key, order) in orders.orders { graph.addOverwriting(key, order, writers) }
        for (view, version) in versions {
            if let order = orders.orders[view.key] { graph.add(view, version, order, writers) }
        }
        if let cycle = graph.shortestCycle() { violations.append(cycle.violation(history)) }
    }

    /// The values of an order were all read, or are those of writes that were done.
    private mutating func checkValues(of order: VersionOrder, _ key: HistoryKey) {
        if Set(order.values).count < order.values.count {
            note(.duplicate, "\(key) held \(order.values).")
        }
        for value in order.values { checkOrigin(of: value, key, reader: nil) }
    }

    private mutating func checkOrigin(of value: Int, _ key: HistoryKey, reader: Int?) {
        let place =
            reader.map { "\(history[$0]) read \(value) from \(key)" }
            ?? "\(value) was read from \(key)"
        guard let entry = writers.entries[value], entry.key == key else {
            return note(.unknownValue, "\(place), where no write has put it.")
        }
        let writer = history[entry.operation]
        if entry.isUndone {
            note(.abortedRead, "\(place), which \(writer) had undone.")
        } else if writer.outcome == .notDone, entry.operation != reader {
            note(.abortedRead, "\(place), which \(writer) wrote, of which nothing was done.")
        }
    }

    /// The last value of a view is the last that its writer left there.
    private mutating func checkLast(of view: View) {
        guard let last = view.values.last, let entry = writers.entries[last] else { return }
        guard entry.isReplaced, entry.operation != view.operation else { return }
        note(
            .intermediateRead,
            "\(history[view.operation]) read \(view.values) from \(view.key), of which \(history[entry.operation]) wrote \(last), but not as its last."
        )
    }

    /// Says why a view does not fit the order of its key.
    private mutating func explain(_ view: View, _ order: VersionOrder) {
        let before = violations.count
        for value in view.values where !order.contains(value) && value != 0 {
            checkOrigin(of: value, view.key, reader: view.operation)
        }
        checkLast(of: view)
        guard violations.count == before else { return }
        note(
            .notAPrefix,
            "\(history[view.operation]) read \(view.values) from \(view.key), which became \(order.values)."
        )
    }

    /// What is done is found in every list that was read later, and in the order of its register.
    private mutating func checkNothingIsLost(
        _ orders: [HistoryKey: VersionOrder], _ versions: [(view: View, version: Int)]
    ) {
        var latest: [HistoryKey: View] = [:]
        for (view, _) in versions {
            guard let other = latest[view.key] else {
                latest[view.key] = view
                continue
            }
            if history[view.operation].called > history[other.operation].called {
                latest[view.key] = view
            }
        }
        for (value, entry) in writers.entries where !entry.isUndone {
            let writer = history[entry.operation]
            if case .register = entry.key, entry.isReplaced { continue }
            guard writer.outcome == .done, orders[entry.key]?.contains(value) == false,
                let view = latest[entry.key], view.operation != entry.operation,
                history[view.operation].called > writer.returned
            else { continue }
            note(
                .lostWrite,
                "\(writer) wrote \(value) to \(entry.key) and had returned when \(history[view.operation]) began, which read \(view.values)."
            )
        }
    }

    private mutating func note(_ rule: HistoryViolation.Rule, _ text: String) {
        violations.append(HistoryViolation(rule, text))
    }
}
