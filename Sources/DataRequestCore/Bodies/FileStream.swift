#if RequestCore
import SkiathosPlatformFoundation

/// The bytes of a file in pieces of 64 KiB, read outside the cooperative thread pool.
///
/// Before it returns the last piece, the stream compares the file's version once more. A file
/// that has changed fails the stream, so that a mixture of two versions never arrives
/// complete.
struct FileStream: AsyncSequence, Sendable {
    typealias Element = Data
    static let pieceSize = 64 << 10

    let file: ReadableFile
    /// The name of the file in messages.
    let label: String

    struct AsyncIterator: AsyncIteratorProtocol {
        let file: ReadableFile
        let label: String
        private var offset: Int64 = 0

        init(file: ReadableFile, label: String) {
            self.file = file
            self.label = label
        }

        mutating func next() async throws -> Data? {
            let (file, label, offset) = (file, label, offset)
            guard offset < file.version.size else { return nil }
            try Task.checkCancellation()
            let piece = try await BlockingWork.run {
                try FileStream.piece(of: file, at: offset, label)
            }
            self.offset += Int64(piece.count)
            return piece
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(file: file, label: label) }

    private static func piece(
        of file: ReadableFile, at offset: Int64, _ label: String
    ) throws -> Data {
        let rest = file.version.size - offset
        do {
            let piece = try file.read(at: offset, upTo: Int(Swift.min(rest, Int64(pieceSize))))
            let isLast = Int64(piece.count) == rest
            guard !piece.isEmpty, try !isLast || file.currentVersion() == file.version else {
                throw DataRequestError(.invalidBody, "\(label) has changed while it was sent.")
            }
            return piece
        } catch let failure as SystemFailure {
            throw DataRequestError(
                .invalidBody, "\(label) could not be read any further: \(failure).")
        }
    }
}
#endif
