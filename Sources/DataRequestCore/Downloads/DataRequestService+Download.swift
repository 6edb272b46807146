#if RequestCore
import HTTPTypes
public import SkiathosPlatformFoundation

extension DataRequestService {
    /// Downloads a file.
    ///
    /// ```swift
    /// let result = try await service.download(DataRequest(.get, "scores/7.pdf"), to: file) {
    ///     print($0.fraction ?? 0)
    /// }
    /// // GET https://api.example.com/v1/scores/7.pdf   →   7.pdf.part-data, then 7.pdf
    /// ```
    ///
    /// The body is written as it arrives, on threads of its own, to a partial file beside the
    /// destination. When the partial file is complete and synced, it is renamed to the
    /// destination in one step. Until then the destination is unchanged. Only a status from
    /// 200 to 299 that the request expects makes a file.
    ///
    /// An interrupted transfer is resumed, in the same call and in later ones, if the server
    /// has sent a strong entity tag or a date of the last change. The rest is requested by
    /// `Range` and `If-Range`; a file that has changed meanwhile is downloaded again. Time
    /// limits restart with each such exchange.
    ///
    /// Cancelling the task ends the download and keeps the received part for a later call.
    ///
    /// - Parameters:
    ///   - request: The request; only `GET` is resumed. It must not have a `Range` of its own.
    ///   - destination: The file; its directory must exist. A symbolic link is replaced, not
    ///     followed.
    ///   - options: Whether to replace, resume, verify, and how much space to leave.
    ///   - onProgress: Called after 64 KiB or a hundredth of the whole, whichever is more, and
    ///     exactly once at the end. The count decreases only if the download starts over.
    /// - Throws: `DataRequestError`; `invalidDownload`, `destinationExists`, `destinationInUse`,
    ///   `noSpace`, `fileFailed`, `unverified`, `tooLarge`, `unexpectedStatus`, and what sending
    ///   throws.
    public func download(
        _ request: DataRequest, to destination: URL,
        options: DownloadOptions = DownloadOptions(),
        onProgress: (@Sendable (DownloadProgress) -> Void)? = nil
    ) async throws -> DownloadResult {
        guard request.headers[.range] == nil, request.headers[.ifRange] == nil else {
            throw DataRequestError(
                .invalidDownload, "A download sets the header Range itself. Leave it out.")
        }
        let source = ResumeRecord.source(of: request)
        let file = try await PartialFile.open(destination, source: source, options)
        let run = DownloadRun(
            service: self, request: request, file: file, options: options, source: source,
            meter: DownloadMeter(report: onProgress))
        do {
            let head = try await run.fill()
            try await finish(file)
            run.meter.finished(file.size)
            return DownloadResult(
                file: destination, head: head, size: file.size, resumedFrom: file.inherited)
        } catch {
            let isRefused = (error as? DataRequestError)?.code == .unverified
            await file.close(keeping: options.keepsPartialFile && !isRefused)
            throw error
        }
    }

    private func finish(_ file: PartialFile) async throws {
        try Task.checkCancellation()
        try await file.sync()
        if let verify = file.options.verify {
            do {
                try await verify(URL(filePath: file.paths.partial))
            } catch let error as CancellationError {
                throw error
            } catch {
                throw DataRequestError(
                    .unverified, "The downloaded file was refused, and removed.", cause: error)
            }
        }
        try await file.moveIntoPlace()
    }
}
#endif
