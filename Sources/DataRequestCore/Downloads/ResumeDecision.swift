#if RequestCore
import HTTPTypes
import PlatformFoundation

/// What an answer means for the part of a file that is there.
enum ResumeDecision: Equatable {
    /// The rest comes, up to the given number of bytes in all; `total` is the size of the whole.
    case append(end: Int64, total: Int64?)
    /// The whole comes, so what is there is dropped.
    case startAnew(total: Int64?)
    /// What is there is the whole.
    case complete
    /// What is there is of no use, and nothing else has come: ask again for the whole.
    case askAnew
    /// The status is no answer to a download.
    case refuse

    /// Decides by the head of an answer.
    ///
    /// - Parameters:
    ///   - offset: The number of bytes that are there, and that were asked for from; 0 is all.
    ///   - record: What is known of the whole; nil if all was asked for.
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
        // No content, and partial content that nobody has asked for, are no file.
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
