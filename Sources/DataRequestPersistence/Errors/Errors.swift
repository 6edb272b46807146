#if RequestCore
public import DataRequestCore
import SkiathosCore

extension DataRequestError.Code {
    /// A sync of that name is under way already.
    public static let syncUnderWay = Self(rawValue: "syncUnderWay")
    /// The address of the next page is not one that can be asked for.
    public static let invalidPage = Self(rawValue: "invalidPage")
    /// A request cannot be kept in the store to be delivered later.
    public static let notQueueable = Self(rawValue: "notQueueable")
}

extension DataAccessLayer {
    /// Throws with a sentence of advice if the store was opened without the package's entities.
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
