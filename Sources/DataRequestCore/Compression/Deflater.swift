#if RequestCore
import CSkiathosZlib
import PlatformFoundation

/// Compresses a body piece by piece in the format of gzip.
///
/// Belongs to one iterator, which is used by one task at a time.
final class Deflater {
    // Zlib keeps its address, so it must not move.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)

    init() throws {
        stream.initialize(to: z_stream())
        let code = skiathos_deflate_start(stream, Z_DEFAULT_COMPRESSION, 16 + MAX_WBITS)
        guard code == Z_OK else {
            throw DataRequestError(.invalidBody, "There is not enough memory to compress the body.")
        }
    }

    deinit {
        // After a failed initialisation this does nothing.
        deflateEnd(stream)
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    /// The compressed bytes of a piece, possibly none yet; nil ends the body.
    func compress(_ piece: Data?) throws -> Data {
        var result = Data()
        let input = piece ?? Data()
        let count = input.count
        try input.withUnsafeBytes { source in
            // Zlib does not write there, though the C type would let it.
            stream.pointee.next_in = UnsafeMutablePointer(
                mutating: source.bindMemory(to: UInt8.self).baseAddress)
            stream.pointee.avail_in = UInt32(count)
            defer { stream.pointee.next_in = nil }
            var code = Z_OK
            repeat {
                code = step(piece == nil ? Z_FINISH : Z_NO_FLUSH, into: &result)
                guard code != Z_STREAM_ERROR else {
                    throw DataRequestError(.invalidBody, "The body could not be compressed.")
                }
            } while stream.pointee.avail_out == 0 && code != Z_STREAM_END
        }
        return result
    }

    private func step(_ flush: Int32, into result: inout Data) -> Int32 {
        var output = Data(count: FileStream.pieceSize)
        let code = output.withUnsafeMutableBytes { target in
            stream.pointee.next_out = target.bindMemory(to: UInt8.self).baseAddress
            stream.pointee.avail_out = UInt32(target.count)
            defer { stream.pointee.next_out = nil }
            return deflate(stream, flush)
        }
        result.append(output.prefix(output.count - Int(stream.pointee.avail_out)))
        return code
    }
}
#endif
