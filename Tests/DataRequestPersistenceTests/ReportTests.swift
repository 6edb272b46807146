#if RequestCore
import DataRequestCore
import DataRequestPersistence
import Foundation
import HTTPTypes
import Testing

/// What a program gets from a service and its queue can be made by its own tests.
struct ReportTests {
    @Test func `reports of a sync have the values they are made with`() {
        let refusal = SyncRefusal(element: 3, offset: 40, code: "undecodable", reason: "no title")
        let report = SyncReport(inserted: 2, refused: 1, refusals: [refusal], pages: 1, bytes: 90)
        #expect(report.inserted == 2)
        #expect(report.refusals == [refusal])
        #expect(report.bytes == 90)
        #expect(SyncReport() == SyncReport(inserted: 0))
        let progress = SyncProgress(elements: 5, totalElements: 10)
        #expect(progress.elements == 5)
        #expect(progress.totalBytes == nil)
        let page = PageEnvelope(Data(#"{"next": 2}"#.utf8))
        #expect((try? page.decode([String: Int].self)) == ["next": 2])
    }

    @Test func `reports of a queue have the values they are made with`() {
        let report = OfflineQueue.DeliveryReport(delivered: 2, waiting: 1)
        #expect(report.delivered == 2)
        #expect(report.waiting == 1)
        #expect(report.deadLettered == 0)
        #expect(OfflineQueue.Counts(pending: 3) == OfflineQueue.Counts(pending: 3, deadLetters: 0))
        let answer = QueueAnswer(status: .created, body: Data("{}".utf8))
        #expect(answer.status == .created)
        #expect(answer.isWhole)
    }

    @Test func `reports of a service have the values they are made with`() throws {
        let url = try #require(URL(string: "https://api.example.com/cover"))
        let head = ResponseHead(IncomingResponse(url: url, status: .partialContent))
        let result = DownloadResult(file: url, head: head, size: 10, resumedFrom: 4)
        #expect(result.head.status == .partialContent)
        #expect(result.resumedFrom == 4)
        let report = ShutdownReport(finished: 3, cancelled: ["export"])
        #expect(report.finished == 3)
        #expect(report.cancelled == ["export"])
        #expect(report.failure == nil)
        let sent = RecordingTransport.Sent(
            request: OutgoingRequest(url: url), body: Data("{}".utf8))
        #expect(sent.bodySize == 2)
    }
}
#endif
