#if Macros && Requests
import Foundation
import HTTPTypes
import Hummingbird
import Skiathos

/// The routes of the shop's server.
struct ShopController: Sendable {
    typealias Context = BasicRequestContext

    /// Elements and the key behind which the next page begins.
    private struct Page<Item: Encodable & Sendable>: Encodable, Sendable {
        var items: [Item]
        var next: String?
    }

    private static let largestPage = 500

    let dal: DataAccessLayer

    func addRoutes(to router: Router<Context>) {
        router.get("artists") { request, _ in
            try await page(request) { after, context in
                try Artist.all(
                    where: { $0.key > after }, orderedBy: { [$0.key.ascending] },
                    limit: Self.largestPage, in: context
                ).map(\.record)
            } key: {
                $0.key
            }
        }
        router.get("albums") { request, _ in
            try await page(request) { after, context in
                try Album.all(
                    where: { $0.key > after }, orderedBy: { [$0.key.ascending] },
                    limit: Self.largestPage, in: context
                ).map { $0.record(artist: try Artist.find($0.artist, in: context)?.key ?? "") }
            } key: {
                $0.key
            }
        }
        router.get("tracks") { request, _ in
            try await page(request) { after, context in
                try Track.all(
                    where: { $0.key > after }, orderedBy: { [$0.key.ascending] },
                    limit: Self.largestPage, in: context
                ).map { $0.record(album: try Album.find($0.album, in: context)?.key ?? "") }
            } key: {
                $0.key
            }
        }
        router.put("tracks/:key", use: put)
        router.delete("tracks/:key", use: delete)
    }

    /// A page, unless the client has said that it knows the present revision.
    private func page<Item: Encodable & Sendable>(
        _ request: Request,
        _ items: @escaping @Sendable (String, ReadContext) throws -> [Item],
        key: (Item) -> String
    ) async throws -> Response {
        let after = request.uri.queryParameters["after"].map(String.init) ?? ""
        let (items, revision) = try await dal.read { context in
            (try items(after, context), try Revision.first(in: context)?.number ?? 0)
        }
        let tag = "\"r\(revision)\""
        if request.headers[.ifNoneMatch] == tag {
            return Response(status: .notModified, headers: [.eTag: tag])
        }
        let next = items.count < Self.largestPage ? nil : items.last.map(key)
        let body = try JSONEncoder().encode(Page(items: items, next: next))
        return Response(
            status: .ok, headers: [.eTag: tag, .contentType: "application/json"],
            body: .init(byteBuffer: ByteBuffer(bytes: body)))
    }

    @Sendable private func put(
        _ request: Request, _ context: Context
    ) async throws -> HTTPResponse.Status {
        let record = try await request.decode(as: TrackRecord.self, context: context)
        return try await once(request) { context in
            let album = try Album.first(where: { $0.key == record.album }, in: context)
            guard let album else { return .unprocessableContent }
            var track = Track(id: .unassigned)
            track.take(record, album: album.id)
            try Track.upsert(track, by: \.key, in: context)
            return .noContent
        }
    }

    @Sendable private func delete(
        _ request: Request, _ context: Context
    ) async throws -> HTTPResponse.Status {
        let key = try context.parameters.require("key")
        return try await once(request) { context in
            try Track.first(where: { $0.key == key }, in: context)?.delete()
            return .noContent
        }
    }

    /// Carries a request out in a write, unless that was done before.
    ///
    /// A refused request changes nothing and is not recorded, so that a repetition is carried out if the
    /// reason for the refusal is gone.
    private func once(
        _ request: Request,
        _ body: @escaping @Sendable (WriteContext) throws -> HTTPResponse.Status
    ) async throws -> HTTPResponse.Status {
        let key = HTTPField.Name("Idempotency-Key").flatMap { request.headers[$0] }
        return try await dal.write(acknowledging: .durable) { context in
            if let key {
                guard try !HandledRequest.exists(where: { $0.key == key }, in: context) else {
                    return .noContent
                }
            }
            let status = try body(context)
            guard status.kind == .successful else { return status }
            if let key { try HandledRequest.create(in: context) { $0.key = key } }
            let revision = try Revision.first(in: context) ?? Revision.create(in: context)
            revision.number += 1
            return status
        }
    }
}
#endif
