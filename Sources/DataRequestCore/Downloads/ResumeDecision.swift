#if RequestCore
import HTTPTypes
import SkiathosPlatformFoundation

/// What a response means for the partial file.
enum ResumeDecision: Equatable {
    /// The body is the rest, up to offset `end`; `total` is the size of the whole.
    case append(end: Int64, total: Int64?)
    /// The body is the whole file, so the partial file is emptied.
    case startAnew(total: Int64?)
    /// The partial file is already complete.
    case complete
    /// The partial file cannot be used, and the response has no file: request the whole again.
    case askAnew
    /// The status is not valid for a download.
    case refuse

    /// Decides by the head of an answer.
    ///
    /// - Parameters:
    ///   - offset: The number of bytes in the partial file, from which the rest was requested;
    ///   0 requests all.
    ///   - record: The record of the partial file; nil if the whole file was requested.
    static func decide(
        _ response: IncomingResponse, offset: Int64, record: ResumeRecord?
    ) -> ResumeDecision {
        let range = ContentRange(response.headers[.contentRange])
        switch response.status.code {
        case 206:
            guard let record, offset > 0 else { return .refuse }
            guard let bytes = range?.bytes, bytes.lowerBound == offset,
                agrees(response, range?.total, record)
            else { return .askAnew }
            return .append(end: bytes.upperBound + 1, total: range?.total ?? record.total)
        case 416:
            guard let record, offset > 0 else { return .refuse }
            let isWhole = range?.total == offset && range?.bytes == nil
            return isWhole && agrees(response, offset, record) ? .complete : .askAnew
        // Responses without content, and partial content without a range request, are not the file.
        case 204, 205: return .refuse
        case 200..<300:
            return .startAnew(total: response.decodedContent == nil ? response.body.length : nil)
        default: return .refuse
        }
    }

    private static func agrees(
        _ response: IncomingResponse, _ total: Int64?, _ record: ResumeRecord
    ) -> Bool {
        let isSameSize = total == nil || record.total == nil || total == record.total
        // The validator need not be repeated; if it is, it must be the same.
        let validator =
            record.validator.begins(with: "\"")
            ? response.headers[.eTag] : response.headers[.lastModified]
        return isSameSize && (validator?.equals(record.validator) ?? true)
            && response.url.host ?? "" == record.host && response.decodedContent == nil
    }
}
#endif
