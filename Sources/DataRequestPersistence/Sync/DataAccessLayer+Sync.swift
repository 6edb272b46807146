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
    /// - Elements are stored in writes of ``SyncOptions/batchSize``, each with the place that it
    ///   brings the sync to. Bytes come only as fast as they are stored.
    /// - A row that holds what came already is not written, and nobody who observes it hears of it.
    /// - If the server says that nothing has changed, nothing is written at all.
    /// - A sync that was broken off, by an error, by cancelling its task or by the end of the process,
    ///   is continued by the next one with the same name where the server's pages allow; if its
    ///   first page has changed meanwhile, it starts anew.
    ///
    /// There is one sync of a name at a time.
    ///
    /// - Parameters:
    ///   - entity: The entity of the rows.
    ///   - request: The request for the first page.
    ///   - service: What it is sent by.
    ///   - keyPaths: The columns of a unique key, by which an element finds its row; the ID without.
    ///   - options: Pages, batches, deleting, and everything else.
    ///   - map: Makes the value of a row of an element, inside the write that stores it; nil passes
    ///     the element over. It may look up other rows.
    /// - Returns: What was done by this call.
    /// - Throws: `DataRequestError` with code `syncUnderWay` if there is one of that name,
    ///   `undecodable` for what is not the JSON that was expected, and what sending throws;
    ///   `DataAccessError` with code `unknownEntity` if the store was opened without
    ///   ``DataRequestEntities``, `invalidRequest` if the columns are not a unique key; what a write
    ///   throws. What was stored before stays, and the next sync goes on behind it.
    @discardableResult
    public func sync<E: Entity, Item: Decodable & Sendable>(
        _ entity: E.Type, from request: DataRequest, over service: DataRequestService,
        by keyPaths: PartialKeyPath<E>..., options: SyncOptions<E> = SyncOptions(),
        map: @escaping @Sendable (Item, WriteContext) throws -> E?
    ) async throws -> SyncReport {
        try await sync(
            SyncPlan(
                dal: self, service: service, request: request, key: try UpsertKey(keyPaths),
                options: options, map: map))
    }

    /// Fetches rows and stores them while they stream in, as one unit, where the entity itself is
    /// what the server sends.
    ///
    /// ```swift
    /// try await dal.sync(Track.self, from: DataRequest(.get, "tracks"), over: service, by: \.serverID)
    /// ```
    @discardableResult
    public func sync<E: Entity & Decodable>(
        _ entity: E.Type, from request: DataRequest, over service: DataRequestService,
        by keyPaths: PartialKeyPath<E>..., options: SyncOptions<E> = SyncOptions()
    ) async throws -> SyncReport {
        try await sync(
            SyncPlan<E, E>(
                dal: self, service: service, request: request, key: try UpsertKey(keyPaths),
                options: options, map: { value, _ in value }))
    }

    private func sync<E, Item>(_ plan: SyncPlan<E, Item>) async throws -> SyncReport {
        try await requireDataRequestEntities()
        let name = plan.name
        guard SyncsUnderWay.begin(name, self) else {
            throw DataRequestError(
                .syncUnderWay,
                "A sync named \"\(name)\" is under way already. Wait for it, or give this one another name if it is another one.",
                retry: .later)
        }
        defer { SyncsUnderWay.end(name, self) }
        var run = SyncRun(plan)
        return try await run.run()
    }
}
#endif
