#if RequestCore
/// Why an operation ends before its work is done.
enum StopReason: Sendable {
    /// The task of the caller was cancelled.
    case callerCancelled
    /// The token of the caller was cancelled.
    case tokenCancelled
    /// The stream of the body was dropped, or its loop left.
    case abandoned
    /// A limit of time has passed.
    case timedOut(TimeLimit)
    /// The environment was switched with the option to cancel running calls.
    case environmentChanged
    /// The service was shut down and the time to finish is over.
    case shutDown

    /// The error for the caller, with the subject of the request.
    func error(for subject: String) -> any Error {
        switch self {
        case .callerCancelled, .abandoned: CancellationError()
        case .tokenCancelled: DataRequestError(.cancelled, "\(subject) was cancelled by its token.")
        case .timedOut(let limit):
            DataRequestError(
                .timedOut, "\(subject): \(limit.finding) \(limit.advice)", retry: .later)
        case .environmentChanged:
            DataRequestError(
                .environmentChanged,
                "\(subject) was cancelled because the environment was switched. Send it "
                    + "again for the new environment.")
        case .shutDown:
            DataRequestError(
                .shutDown,
                "\(subject) was cancelled because the service was shut down and the deadline for "
                    + "requests in flight had passed.")
        }
    }
}

/// A limit of time that can pass.
enum TimeLimit: Sendable, Equatable {
    /// From sending an attempt until the head of its answer.
    case response(Duration)
    /// Between two pieces of a body.
    case idle(Duration)
    /// From the call to the end of the body.
    case total(Duration)

    /// Whether it passes when it starts, as it is not above zero.
    var passesAtOnce: Bool {
        switch self {
        case .response(let limit), .idle(let limit), .total(let limit): limit <= .zero
        }
    }

    var finding: String {
        switch self {
        case .response(let limit): "no answer began within \(limit)."
        case .idle(let limit): "no bytes of a body passed for \(limit)."
        case .total(let limit): "it did not finish within \(limit)."
        }
    }

    var advice: String {
        switch self {
        case .response: "Try again later, or raise timeLimits.response."
        case .idle: "Try again later, read the body without long pauses, or raise timeLimits.idle."
        case .total: "Try again later, or raise timeLimits.total."
        }
    }
}
#endif
