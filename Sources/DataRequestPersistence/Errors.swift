#if RequestCore
public import DataRequestCore
import SkiathosCore

extension DataRequestError.Code {
    /// A sync of that name is already running.
    public static let syncUnderWay = Self(rawValue: "syncUnderWay")
    /// The address of the next page is not a valid one for this sync.
    public static let invalidPage = Self(rawValue: "invalidPage")
    /// A request cannot be queued for later delivery.
    public static let notQueueable = Self(rawValue: "notQueueable")
}

extension DataAccessLayer {
    /// Throws an error with advice if the store was opened without the package's entities.
    func requireDataRequestEntities() async throws {
        do {
            try await read { context in
                _ = try SyncState.exists(where: { _ in .never }, in: context)
                _ = try SyncMark.exists(where: { _ in .never }, in: context)
                _ = try QueuedRequest.exists(where: { _ in .never }, in: context)
            }
        } catch let error as DataAccessError where error.code == .unknownEntity {
            throw DataAccessError.missingDataRequestEntities
        }
    }
}

extension DataAccessError {
    static var missingDataRequestEntities: DataAccessError {
        DataAccessError(
            .unknownEntity,
            "The store was opened without the entities of DataRequestPersistence. Open it with entities: [Track.self, …] + DataRequestEntities.all."
        )
    }
}
#endif
