#if RequestCore
import SkiathosPlatformFoundation
import SkiathosPlatformLibC

extension PartialFile {
    /// Syncs the bytes to the disk, before the file is verified and moved.
    func sync() async throws {
        try await run(.sync, "sync the partial file to the disk") { _, descriptor in
            try system { fsync(descriptor) }
        }
    }

    /// Moves the file to its destination in one step and releases the lock.
    func moveIntoPlace() async throws {
        try await run(.move, "move the file to its destination") { [self] state, descriptor in
            try openToOthers(descriptor)
            switch options.existing {
            case .replace: try system { rename(paths.partial, paths.destination) }
            case .refuse: try moveWithoutReplacing()
            }
            state.end()
            // From here on the file is complete. A record that is left behind is ignored
            // without a partial file, and is overwritten by the next download.
            try options.onStep?(.clean)
            try? removeIfThere(paths.record)
            try options.onStep?(.syncDirectory)
            try paths.syncDirectory()
        }
    }

    /// Releases the lock; keeps the partial file for another call, or removes it.
    ///
    /// Runs to its end even if the task is cancelled. Does nothing after `moveIntoPlace`.
    func close(keeping: Bool) async {
        _ = try? await run(.close, "close the partial file") { [self] state, descriptor in
            defer { state.end() }
            guard keeping, state.size > 0, var record = state.record else {
                // While the lock is held, so that the file is not another download's.
                try? removeIfThere(paths.record)
                try removeIfThere(paths.partial)
                return
            }
            try system { fsync(descriptor) }
            record.synced = state.size
            try write(record)
        }
    }

    /// Sets the mode of the replaced file, or that of a new file.
    ///
    /// Until here only the owner had access. That stays so if the group of the replaced file
    /// cannot be set.
    private func openToOthers(_ descriptor: Int32) throws {
        var replaced = stat()
        guard lstat(paths.destination, &replaced) == 0, replaced.st_mode & S_IFMT == S_IFREG else {
            let mode = try modeOfNewFile()
            try system { fchmod(descriptor, mode) }
            return
        }
        var mode = replaced.st_mode & 0o777
        let owner = geteuid() == 0 ? replaced.st_uid : uid_t.max
        do { try system { fchown(descriptor, owner, replaced.st_gid) } } catch { mode &= ~0o070 }
        try system { fchmod(descriptor, mode) }
    }

    /// The mode that the system gives a new file in the directory, by the umask and otherwise.
    ///
    /// The umask cannot be read without setting it, which would affect other threads.
    private func modeOfNewFile() throws -> mode_t {
        let trial = paths.record + "-new"
        try removeIfThere(trial)
        let descriptor = try system {
            openNewFile(trial)
        }
        defer { closeFile(descriptor) }
        var status = stat()
        try system { fstat(descriptor, &status) }
        try removeIfThere(trial)
        return status.st_mode & 0o777
    }

    private func moveWithoutReplacing() throws {
        do {
            try system { link(paths.partial, paths.destination) }
            try system { unlink(paths.partial) }
        } catch let failure as SystemFailure where failure.code == EEXIST {
            throw DownloadPaths.exists
        } catch let failure as SystemFailure where [EPERM, ENOTSUP, EMLINK].contains(failure.code) {
            // The file system has no hard links, so all that can be done is to check first.
            guard access(paths.destination, F_OK) != 0 else { throw DownloadPaths.exists }
            try system { rename(paths.partial, paths.destination) }
        }
    }
}
#endif
