#if RequestCore
public import DataRequestCore
public import SkiathosCore

extension DataAccessLayer {
    /// Fetches elements and stores them as rows while they stream in, as one unit.
    ///
    /// ```swift
    /// let report = try await dal.sync(Track.self, from: DataRequest(.get, "tracks"), over: service, by: \.serverID) {
    ///     (track: TrackRecord, context) in
    ///     Track(serverID: track.id, name: track.title, album: try Album.first(where: { $0.serverID == track.album }, in: context)?.id)
    /// }
    /// print("\(report.inserted) new, \(report.updated) changed, \(report.unchanged) as before")
    /// // GET …/tracks, then for every 500 elements: SELECT … WHERE "serverID" IN (…), INSERTs and minimal UPDATEs
    /// ```
    ///
    /// - Elements are stored in writes of ``SyncOptions/batchSize``, each with the progress of
    ///   the sync. Bytes are received only as fast as they are stored.
    /// - A row that already has the received values is not written, and its observers are not
    ///   notified.
    /// - If the server says that nothing has changed, nothing is written at all.
    /// - A sync that was interrupted by an error, by cancelling its task or by the end of the
    ///   process is continued by the next one with the same name, where the server's pages
    ///   allow. If its first page has changed meanwhile, it starts over.
    ///
    /// Only one sync of a name runs at a time.
    ///
    /// - Parameters:
    ///   - entity: The entity of the rows.
    ///   - request: The request for the first page.
    ///   - service: The service that sends the requests.
    ///   - keyPaths: The columns of a unique key, which match an element to its row; without
    ///   them the ID.
    ///   - options: Pages, batches, deleting, and everything else.
    ///   - map: Makes the value of a row from an element, inside the write that stores it; nil
    ///     skips the element. It may look up other rows.
    /// - Returns: The changes made by this call.
    /// - Throws: `DataRequestError` with code `syncUnderWay` if one of that name is running,
    ///   `undecodable` for an answer that is not the expected JSON, and what sending throws;
    ///   `DataAccessError` with code `unknownEntity` if the store was opened without
    ///   ``DataRequestEntities``, `invalidRequest` if the columns are not a unique key; what a
    ///   write throws. Rows stored before stay, and the next sync continues after them.
    @discardableResult
    public func sync<E: Entity, Item: Decodable & Sendable>(
        _ entity: E.Type, from request: DataRequest, over service: DataRequestService,
        by keyPaths: PartialKeyPath<E>..., options: SyncOptions<E> = SyncOptions(),
        map: @escaping @Sendable (Item, WriteContext) throws -> E?
    ) async throws -> SyncReport {
        let plan = SyncPlan(
            service: service, request: request, key: try UpsertKey(keyPaths), options: options)
        return try await sync(plan, map: map)
    }

    /// Fetches rows and stores them while they stream in, as one unit.
    ///
    /// For entities that the server sends in their own form.
    ///
    /// ```swift
    /// try await dal.sync(Track.self, from: DataRequest(.get, "tracks"), over: service, by: \.serverID)
    /// ```
    @discardableResult
    public func sync<E: Entity & Decodable>(
        _ entity: E.Type, from request: DataRequest, over service: DataRequestService,
        by keyPaths: PartialKeyPath<E>..., options: SyncOptions<E> = SyncOptions()
    ) async throws -> SyncReport {
        let plan = SyncPlan(
            service: service, request: request, key: try UpsertKey(keyPaths), options: options)
        return try await sync(plan, map: { (value: E, _: WriteContext) -> E? in value })
    }

    private func sync<E: Entity, Item: Decodable & Sendable>(
        _ plan: SyncPlan<E>, map: @escaping @Sendable (Item, WriteContext) throws -> E?
    ) async throws -> SyncReport {
        try await requireDataRequestEntities()
        let name = plan.name
        guard syncsUnderWay.begin(name) else {
            throw DataRequestError(
                .syncUnderWay,
                "A sync named \"\(name)\" is running already. Wait for it, or set SyncOptions.name if this is another sync.",
                retry: .later)
        }
        defer { syncsUnderWay.end(name) }
        var run = SyncRun(plan, SyncWriter(self, plan, map: map))
        return try await run.run()
    }
}
#endif
