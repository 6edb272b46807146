#if Macros && Requests
import Hummingbird
import Logging
import Skiathos

/// The routes of the service.
struct NotesController: Sendable {
    let dal: DataAccessLayer

    func addRoutes(to router: Router<NotesContext>) {
        router.get("health", use: health)
        router.group("notes")
            .post(use: create)
            .get(use: newest)
            .get(":id", use: find)
            .delete(":id", use: delete)
    }

    /// The route `GET /health`: whether the store works, which it says without waiting for anything.
    @Sendable private func health(
        _: Request, _ context: NotesContext
    ) async throws -> [String: String] {
        let health = dal.health
        guard let problem = health.problem else { return ["status": "ok"] }
        if health.state == .failing { context.logger.error("The store is \(health)") }
        throw HTTPError(unavailableSince: problem)
    }

    /// The route `POST /notes?acknowledge=durable`: a client that gets 201 can rely on the note.
    @Sendable private func create(
        _ request: Request, _ context: NotesContext
    ) async throws -> EditedResponse<Note> {
        let level = try request.acknowledgement
        let text = try await request.decode(as: NewNote.self, context: context).validText()
        let note = try await dal.writeUnlessCrowded(acknowledging: level) {
            try Note.create(in: $0) { $0.text = text }.value
        }
        return EditedResponse(
            status: .created, headers: [.location: "/notes/\(note.id)"], response: note)
    }

    /// The route `GET /notes?limit=20`: the newest first.
    @Sendable private func newest(_ request: Request, _: NotesContext) async throws -> [Note] {
        let limit = request.uri.queryParameters["limit"].map { Int($0) } ?? 20
        guard let limit, (1...1_000).contains(limit) else {
            throw HTTPError(.badRequest, message: "limit must be a number from 1 to 1000.")
        }
        return try await dal.read {
            try Note.all(orderedBy: { [$0.id.descending] }, limit: limit, in: $0)
        }
    }

    /// The route `GET /notes/42`.
    @Sendable private func find(_: Request, _ context: NotesContext) async throws -> Note {
        let id = try context.noteID
        guard let note = try await dal.read({ try Note.find(id, in: $0) }) else {
            throw HTTPError.noSuchNote
        }
        return note
    }

    /// The route `DELETE /notes/42`.
    @Sendable private func delete(
        _: Request, _ context: NotesContext
    ) async throws -> HTTPResponse.Status {
        let id = try context.noteID
        let isDeleted = try await dal.writeUnlessCrowded { context in
            guard let note = try Note.find(id, in: context) else { return false }
            try note.delete()
            return true
        }
        guard isDeleted else { throw HTTPError.noSuchNote }
        return .noContent
    }
}

extension StoreHealth {
    /// Why no requests should be sent here; `nil` while the store works.
    var problem: String? {
        if isHealthy { return nil }
        return state == .failing ? "The store is failing." : "The server is stopping."
    }
}
#endif
