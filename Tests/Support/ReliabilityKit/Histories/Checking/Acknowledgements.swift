/// Compares what was acknowledged with what the store had committed and synced by then.
///
/// Writes count themselves, so a place that is committed or safe stands for all places before it:
/// a durable write whose predecessors are not safe is found as well.
enum Acknowledgements {
    static func violations(of history: [HistoryOperation]) -> [HistoryViolation] {
        var violations: [HistoryViolation] = []
        for operation in history {
            guard let evidence = operation.evidence else { continue }
            if let committed = evidence.committed, committed > evidence.committedInStore {
                violations.append(
                    HistoryViolation(
                        .earlyAcknowledgement,
                        "\(operation) was told that place \(committed) is committed when the store had committed place \(evidence.committedInStore)."
                    ))
            }
            if let durable = evidence.durable, durable > evidence.durableInStore {
                violations.append(
                    HistoryViolation(
                        .earlyAcknowledgement,
                        "\(operation) was told that place \(durable) is durable when the last sync had begun at place \(evidence.durableInStore)."
                    ))
            }
        }
        return violations
    }
}
