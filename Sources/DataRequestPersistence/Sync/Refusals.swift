#if RequestCore
import DataRequestCore
import SkiathosCore
import SkiathosStore

/// The reasons why elements are refused, without values.
enum Refusals {
    private static let codes: Set<StoreError.Code> = [
        .uniqueViolation, .notNullViolation, .foreignKeyViolation, .constraintViolation,
        .invalidValue, .tooBig,
    ]

    /// Whether an error is caused by a value, and not by the environment.
    static func isRefusal(_ error: any Error) -> Bool {
        switch error {
        case let error as StoreError: codes.contains(error.code)
        case let error as DataAccessError:
            error.code == .validationFailed || error.code == .invalidID
        default: false
        }
    }

    static func ofStoring<Item>(
        _ entry: SyncBatch<Item>.Entry, _ error: any Error
    ) -> SyncRefusal {
        switch error {
        case let error as StoreError: entry.refusal(error.code.rawValue, error.message)
        case let error as DataAccessError: entry.refusal(error.code.rawValue, error.message)
        default: ofMapping(entry, error)
        }
    }

    /// The closure's errors may contain values, so only their type is reported.
    static func ofMapping<Item>(
        _ entry: SyncBatch<Item>.Entry, _ error: any Error
    ) -> SyncRefusal {
        entry.refusal("mapping", "The mapping has thrown a \(type(of: error)).")
    }
}
#endif
