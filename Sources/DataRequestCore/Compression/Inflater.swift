#if RequestCore
import CSkiathosZlib
import SkiathosPlatformFoundation

/// Decompresses a body piece by piece.
///
/// Belongs to one iterator, which is used by one task at a time.
final class Inflater {
    private enum Phase {
        /// Collects the first two bytes, which tell the two forms of `deflate` apart.
        case beginning
        case inside
        /// A member has ended: further ones may follow, and nothing else may.
        case betweenMembers
    }

    static let outputSize = 64 << 10

    private let coding: ContentCoding
    // Zlib keeps its address, so it must not move.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private var isStarted = false
    private var phase = Phase.beginning
    /// Input that is not consumed yet.
    private var input = Data()

    init(_ coding: ContentCoding) {
        self.coding = coding
        stream.initialize(to: z_stream())
    }

    deinit {
        if isStarted { inflateEnd(stream) }
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    /// Adds input.
    func append(_ piece: Data) { input = input.isEmpty ? piece : input + piece }

    /// Up to 64 KiB of decompressed bytes; nil if more input is needed.
    func next() throws -> Data? {
        while true {
            guard try prepare() else { return nil }
            let output = try step()
            if !output.isEmpty { return output }
        }
    }

    /// Fails if the body has ended in the middle.
    func finish() throws {
        switch phase {
        case .betweenMembers where input.isEmpty: return
        // A body without any bytes is an empty one.
        case .beginning where input.isEmpty && !isStarted: return
        // A single byte, which can be no whole body.
        default: throw Self.broken("ends in the middle")
        }
    }

    /// Initialises zlib for the input; false if there is too little of it.
    private func prepare() throws -> Bool {
        switch phase {
        case .inside: return !input.isEmpty || hasMoreOutput
        case .beginning:
            guard input.count >= 2 else { return false }
            try start()
        case .betweenMembers:
            guard !input.isEmpty else { return false }
            guard coding == .gzip else { throw Self.broken("has bytes after its end") }
            guard input.count >= 2 else { return false }
            guard input.starts(with: [0x1f, 0x8b]) else {
                throw Self.broken("has bytes after its end")
            }
            inflateReset(stream)
        }
        phase = .inside
        return true
    }

    private func start() throws {
        let window: Int32
        switch coding {
        case .gzip: window = 16 + MAX_WBITS
        case .deflate:
            let bytes = Array(input.prefix(2))
            let header = Int(bytes[0]) << 8 | Int(bytes[1])
            let isZlib = bytes[0] & 0x0f == 8 && header.isMultiple(of: 31)
            window = isZlib ? MAX_WBITS : -MAX_WBITS
        }
        guard skiathos_inflate_start(stream, window) == Z_OK else {
            throw DataRequestError(
                .malformedResponse, "There is not enough memory to decompress the body.")
        }
        isStarted = true
    }

    /// Whether zlib has filled its output, so that it may have more without more input.
    private var hasMoreOutput = false

    private func step() throws -> Data {
        var output = Data(count: Self.outputSize)
        let available = input.count
        let (code, left, room) = input.withUnsafeBytes { source in
            output.withUnsafeMutableBytes { target in
                // Zlib does not write there, though the C type would let it.
                stream.pointee.next_in = UnsafeMutablePointer(
                    mutating: source.bindMemory(to: UInt8.self).baseAddress)
                stream.pointee.avail_in = UInt32(clamping: available)
                stream.pointee.next_out = target.bindMemory(to: UInt8.self).baseAddress
                stream.pointee.avail_out = UInt32(Self.outputSize)
                let code = inflate(stream, Z_NO_FLUSH)
                return (code, Int(stream.pointee.avail_in), Int(stream.pointee.avail_out))
            }
        }
        stream.pointee.next_in = nil
        stream.pointee.next_out = nil
        let used = min(available, Int(UInt32.max)) - left
        input = used == input.count ? Data() : input.dropFirst(used)
        hasMoreOutput = room == 0
        output.count = Self.outputSize - room
        switch code {
        // No progress was possible: more input is needed.
        case Z_OK, Z_BUF_ERROR: break
        case Z_STREAM_END:
            phase = .betweenMembers
            hasMoreOutput = false
        default: throw Self.broken("is damaged")
        }
        return output
    }

    private static func broken(_ what: String) -> DataRequestError {
        DataRequestError(
            .malformedResponse, "The compressed body of the answer \(what).", retry: .later)
    }
}
#endif
