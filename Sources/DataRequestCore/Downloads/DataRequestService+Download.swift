#if RequestCore
import HTTPTypes
public import PlatformFoundation

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
    /// The body is written as it comes, on threads of its own, to a partial file beside the
    /// destination, which is moved into place in one step when it is complete and on the disk. Until
    /// then the destination is as it was. Only a status from 200 to 299 that the request expects
    /// brings a file.
    ///
    /// An interrupted transfer goes on where it stopped, in the same call and in later ones, if the
    /// server has given a strong entity tag or a date of the last change: the rest is asked for by
    /// `Range` and `If-Range`, and a file that has changed meanwhile comes anew. Limits of time
    /// count anew for each such exchange.
    ///
    /// Cancelling the task ends the download and keeps what has come for a later call.
    ///
    /// - Parameters:
    ///   - request: The request; only `GET` is gone on with. It must not ask for a range itself.
    ///   - destination: The file; its directory has to be there. A symbolic link is replaced, not
    ///     followed.
    ///   - options: Whether to replace, resume, verify, and how much space to leave.
    ///   - onProgress: Told how far it is after 64 KiB or a hundredth of the whole, whichever is
    ///     more, and exactly once at the end; goes back only if the file comes anew.
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
                .invalidDownload, "A download asks for ranges itself; leave out the header Range.")
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
