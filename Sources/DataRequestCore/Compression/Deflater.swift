#if RequestCore
import CSkiathosZlib
import SkiathosPlatformFoundation

/// Compresses a body piece by piece in the format of gzip.
///
/// Belongs to one iterator, which is used by one task at a time.
final class Deflater {
    // Zlib keeps its address, so it must not move.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    /// How many bytes zlib gets at a time; it counts them in 32 bits.
    private let partSize: Int

    init(partSize: Int = 1 << 30) throws {
        self.partSize = partSize
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
        guard let piece else {
            try compress(UnsafeRawBufferPointer(start: nil, count: 0), Z_FINISH, into: &result)
            return result
        }
        try piece.withUnsafeBytes { source in
            for start in stride(from: 0, to: source.count, by: partSize) {
                let end = min(start + partSize, source.count)
                let part = UnsafeRawBufferPointer(rebasing: source[start..<end])
                try compress(part, Z_NO_FLUSH, into: &result)
            }
        }
        return result
    }

    private func compress(
        _ part: UnsafeRawBufferPointer, _ flush: Int32, into result: inout Data
    ) throws {
        // Zlib does not write there, though the C type would let it.
        stream.pointee.next_in = UnsafeMutablePointer(
            mutating: part.bindMemory(to: UInt8.self).baseAddress)
        stream.pointee.avail_in = UInt32(part.count)
        defer { stream.pointee.next_in = nil }
        var code = Z_OK
        repeat {
            code = step(flush, into: &result)
            guard code != Z_STREAM_ERROR else {
                throw DataRequestError(.invalidBody, "The body could not be compressed.")
            }
        } while stream.pointee.avail_out == 0 && code != Z_STREAM_END
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
