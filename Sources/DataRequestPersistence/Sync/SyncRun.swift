#if RequestCore
import DataRequestCore
import HTTPTypes
import SkiathosPlatformFoundation
import SkiathosCore

/// One run of a sync, from the first requested page to the end.
struct SyncRun<E: Entity, Item: Decodable & Sendable> {
    private let plan: SyncPlan<E>
    private let writer: SyncWriter<E, Item>
    private var report = SyncReport()
    private var checkpoint = SyncCheckpoint()
    /// How many elements of the next page are already stored.
    private var skipped = 0
    private var total: Int?

    init(_ plan: SyncPlan<E>, _ writer: SyncWriter<E, Item>) {
        self.plan = plan
        self.writer = writer
    }

    /// Runs the sync to its end.
    mutating func run() async throws -> SyncReport {
        guard var response = try await begin() else {
            report.isNotModified = true
            return report
        }
        while let next = try await storePage(response) {
            guard report.pages < plan.options.maximumPages else {
                throw DataRequestError(
                    .invalidPage,
                    "The sync has read \(report.pages) pages and there are more; the links may form a loop. Raise maximumPages if there are that many."
                )
            }
            response = try await requestPage(next)
        }
        return report
    }

    /// Decides where to begin, and requests that page; nil if nothing has changed.
    private mutating func begin() async throws -> IncomingResponse? {
        guard let state = try await writer.storedState(), !plan.options.startsAnew else {
            return try await beginAnew()
        }
        guard state.isUnderWay else {
            guard plan.isConditional, let validators = state.validators else {
                return try await beginAnew()
            }
            let response = try await requestPage(nil, unlike: validators)
            if response.status == .notModified { return nil }
            return try await beginAnew(response)
        }
        guard let position = state.page else { return try await resumeFirstPage(state) }
        if let first = state.firstValidators, plan.options.revalidation != .never {
            let response = try await requestPage(nil, unlike: first)
            guard response.status == .notModified else { return try await beginAnew(response) }
        }
        return resume(state, at: try await requestPage(position))
    }

    private mutating func beginAnew(
        _ response: IncomingResponse? = nil
    ) async throws -> IncomingResponse {
        checkpoint = SyncCheckpoint()
        let answer = if let response { response } else { try await requestPage(nil) }
        checkpoint.firstValidators = answer.knownValidators
        return answer
    }

    /// Continues in the first page if it has not changed since the interruption.
    private mutating func resumeFirstPage(_ state: SyncState) async throws -> IncomingResponse {
        let response = try await requestPage(nil)
        guard let validators = response.knownValidators, validators == state.pageValidators
        else { return try await beginAnew(response) }
        return resume(state, at: response)
    }

    private mutating func resume(
        _ state: SyncState, at response: IncomingResponse
    ) -> IncomingResponse {
        checkpoint = SyncCheckpoint(
            isNewRun: false, position: state.page, elements: state.elements,
            pages: state.pages, firstValidators: state.firstValidators)
        let validators = response.knownValidators
        if validators != nil, validators == state.pageValidators {
            (skipped, checkpoint.elementsOfPage) = (state.elementsOfPage, state.elementsOfPage)
        } else {
            // Elements of the page that were stored before are found unchanged, or are updated
            // now.
            checkpoint.elements -= state.elementsOfPage
        }
        report.elementsBefore = checkpoint.elements
        return response
    }

    /// Requests a page, on the condition that it has changed.
    private func requestPage(
        _ position: String?, unlike known: Validators? = nil
    ) async throws -> IncomingResponse {
        let request = try plan.pageRequest(at: position)
        writer.willRequestPage(isFirst: position == nil)
        return try await plan.response(for: known.map { request.validators($0) } ?? request)
    }
}

extension SyncRun {
    /// Reads a page to its end and stores it; returns the name of the next one, if there is
    /// one.
    private mutating func storePage(_ response: IncomingResponse) async throws -> String? {
        let options = plan.options
        checkpoint.pageValidators = response.knownValidators
        total = response.headers[.totalCount].flatMap { Int($0) } ?? total
        let length = options.pages.kind == SyncPages.single.kind ? response.body.length : nil
        let before = report.bytes
        var reader = JSONElementReader(response.body, at: options.place, limits: options.limits)
        var batch = SyncBatch<Item>()
        while let element = try await reader.next() {
            report.bytes = before + reader.byteCount
            if skipped > 0 {
                skipped -= 1
                continue
            }
            // A full batch waits for the next element, so that the last one ends the run as well.
            if batch.count >= max(1, options.batchSize) {
                try await store(&batch, length)
            }
            try decode(element, into: &batch)
        }
        report.bytes = before + reader.byteCount
        report.pages += 1
        let next = try options.pages.next(
            SyncPages.End(
                response: response,
                envelope: PageEnvelope(reader.envelope ?? Data(), decoder: plan.decoder),
                elements: reader.count, position: checkpoint.position,
                baseURL: plan.baseURL))
        if let next, next == checkpoint.position {
            throw DataRequestError(
                .invalidPage, "The server named a page as its own next page.")
        }
        checkpoint.pages += 1
        checkpoint.isEnd = next == nil
        try await store(&batch, length, turningTo: next)
        skipped = 0
        return next
    }

    private func decode(_ element: JSONElement, into batch: inout SyncBatch<Item>) throws {
        let number = checkpoint.elements + batch.count
        do {
            let item = try plan.decoder.decode(Item.self, from: element)
            batch.entries.append(.init(number: number, offset: element.offset, item: item))
        } catch let error as DataRequestError where plan.options.onInvalidElement == .skip {
            batch.refusals.append(
                SyncRefusal(
                    element: number, offset: element.offset, code: error.code.rawValue,
                    reason: error.message))
        }
    }

    /// Stores the batch, and reports progress.
    private mutating func store(
        _ batch: inout SyncBatch<Item>, _ length: Int64?, turningTo next: String? = nil
    ) async throws {
        var reached = checkpoint
        reached.elements += batch.count
        reached.elementsOfPage += batch.count
        if let next {
            reached.position = next
            reached.elementsOfPage = 0
            reached.pageValidators = nil
        }
        report.add(try await writer.store(batch, reached))
        checkpoint = reached
        checkpoint.isNewRun = false
        batch = SyncBatch()
        plan.options.progress?(
            SyncProgress(
                elements: reached.elements, totalElements: total, pages: reached.pages,
                bytes: report.bytes, totalBytes: length))
    }
}

extension IncomingResponse {
    /// The validators of the response; nil if there are none.
    fileprivate var knownValidators: Validators? { validators.isEmpty ? nil : validators }
}
#endif
