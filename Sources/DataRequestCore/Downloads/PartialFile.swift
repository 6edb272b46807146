#if RequestCore
import SkiathosLocks
import SkiathosPlatformFoundation
import SkiathosPlatformLibC
import Synchronization

/// The partial file of a download, and the resume record beside it.
///
/// One download holds it at a time: the lock belongs to the open file description, so it
/// excludes other downloads of this process as well as other processes. All functions that use
/// the disk run on the threads for blocking work, one after the other.
final class PartialFile: Sendable {
    struct State {
        var descriptor: Int32?
        var size: Int64 = 0
        /// How many bytes the file had when it was opened.
        var inherited: Int64 = 0
        var record: ResumeRecord?
    }

    let paths: DownloadPaths
    let options: DownloadOptions
    // Held during work on the file, so that it is never closed under a write.
    private let state: Lock<State>

    private init(_ paths: DownloadPaths, _ options: DownloadOptions, _ state: sending State) {
        self.paths = paths
        self.options = options
        self.state = Lock(state)
    }

    /// Opens or makes the file and locks it.
    ///
    /// - Throws: `destinationInUse` if another download has locked it.
    static func open(
        _ url: URL, source: String, _ options: DownloadOptions
    ) async throws -> PartialFile {
        let paths = try DownloadPaths(url)
        return try await BlockingWork.run {
            try options.onStep?(.open)
            try paths.check(options.existing)
            let descriptor = try lockedFile(paths.partial)
            let file = PartialFile(paths, options, State(descriptor: descriptor))
            do {
                try file.work(.open, "be begun") { state in
                    state.size = try Self.size(of: descriptor)
                    state.record = file.usableRecord(source, size: state.size)
                    state.inherited = state.size
                }
            } catch {
                file.state.withLock { $0.end() }
                throw error
            }
            return file
        }
    }

    /// The point to resume from; nil if the whole file has to be requested.
    var resumePoint: (offset: Int64, record: ResumeRecord)? {
        state.withLock { state in
            guard state.size > 0, let record = state.record else { return nil }
            return (state.size, record)
        }
    }

    /// The number of bytes in the file.
    var size: Int64 { state.withLock { $0.size } }

    /// The number of bytes of earlier calls that are still part of it.
    var inherited: Int64 { state.withLock { $0.inherited } }

    /// Empties the file and writes the record of the new one.
    func restart(_ record: ResumeRecord?) async throws {
        try await run(.truncate, "truncate the partial file") { [self] state, descriptor in
            // The record goes first: it must never stand beside bytes of another file.
            try removeIfThere(paths.record)
            try system { ftruncate(descriptor, 0) }
            state.size = 0
            state.inherited = 0
            state.record = record
            guard let record else { return }
            try system { fsync(descriptor) }
            try options.onStep?(.record)
            try write(record)
            // Else the record of another file might come back after a loss of power.
            try paths.syncDirectory()
        }
    }

    /// Adds bytes at the end.
    func append(_ data: Data) async throws -> Int64 {
        try await run(.write, "write to the partial file") { state, descriptor in
            let offset = state.size
            try data.withUnsafeBytes { buffer in
                var done = 0
                while done < buffer.count {
                    let rest = UnsafeRawBufferPointer(rebasing: buffer[done...])
                    done += try system {
                        pwrite(
                            descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(done))
                    }
                }
            }
            state.size += Int64(data.count)
            return state.size
        }
    }

    /// Fails with `noSpace` unless so many more bytes fit on the disk.
    func reserve(_ count: Int64) async throws {
        try await run(.space, "read the free space") { [self] _, _ in
            let free = try options.freeSpace ?? paths.freeSpace()
            guard count > max(0, free - max(0, options.reservedSpace)) else { return }
            throw DataRequestError(
                .noSpace,
                "The download needs \(count) more bytes, and \(free) are free, of which "
                    + "\(options.reservedSpace) are to stay free.")
        }
    }

    /// Runs work on the file, unless it was closed.
    @discardableResult
    func run<Value: Sendable>(
        _ step: DownloadOptions.Step, _ what: String,
        _ work: @escaping @Sendable (inout State, Int32) throws -> Value
    ) async throws -> Value {
        try await BlockingWork.run { [self] in
            try self.work(step, what) { state in
                guard let descriptor = state.descriptor else { throw CancellationError() }
                return try work(&state, descriptor)
            }
        }
    }

    private func work<Value: Sendable>(
        _ step: DownloadOptions.Step, _ what: String, _ work: (inout State) throws -> Value
    ) throws -> Value {
        do {
            return try state.withLock { state in
                if step != .open { try options.onStep?(step) }
                return try work(&state)
            }
        } catch let failure as SystemFailure {
            throw DataRequestError.download(failure, what)
        }
    }
}

extension PartialFile.State {
    /// Releases the lock.
    mutating func end() {
        if let descriptor { close(descriptor) }
        descriptor = nil
    }
}
#endif
