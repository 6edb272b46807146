import SkiathosStore

/// A file that this package, or SQLite for it, keeps beside a store under a name of its own.
///
/// Another program may have a file of that name. So each file is looked at before it is opened, made or
/// removed: ours is a regular file with one name, which is not reached by a link, and with content of
/// our form. A file that a loss of power has torn has that form, too: it ends early, or has NULs where
/// nothing was written. All other files are left as they are, and never waited for.
struct SideFile: Sendable {
    /// The purpose of the file.
    let kind: Kind
    /// The path of the file.
    let path: String

    /// A look at the file.
    enum Finding: Equatable {
        /// There is nothing at the path.
        case missing
        /// The file is ours; the bytes that were looked at, if any.
        case ours(content: [UInt8])
        /// The file is another program's; as a part of a message.
        case strange(String)
    }

    /// Looks at what lies at the path, without following a link.
    ///
    func find() throws(SystemCalls.Failure) -> Finding {
        guard let status = try SystemCalls.ownStatus(of: path) else { return .missing }
        if let reason = strangeness(status) { return .strange(reason) }
        guard let form = kind.form else { return .ours(content: []) }
        guard status.size <= form.longest else { return .strange(form.strangeness) }
        let descriptor: Int32
        do { descriptor = try SystemCalls.openForLooking(path) } catch {
            // It was removed, or replaced by a link, since it was looked at.
            if error.isMissing { return .missing }
            if error.isOtherKind { return .strange("not a regular file") }
            throw error
        }
        defer { SystemCalls.closeFile(descriptor) }
        return try find(in: descriptor)
    }

    /// Looks at an open file.
    func find(in descriptor: Int32) throws(SystemCalls.Failure) -> Finding {
        let status = try SystemCalls.status(ofDescriptor: descriptor)
        if let reason = strangeness(status) { return .strange(reason) }
        guard let form = kind.form else { return .ours(content: []) }
        guard status.size <= form.longest else { return .strange(form.strangeness) }
        let count = min(Int(status.size), form.sample)
        let content = try SystemCalls.readBytes(count, from: descriptor)
        return form.holds(content) ? .ours(content: content) : .strange(form.strangeness)
    }

    private func strangeness(_ status: SystemCalls.FileStatus) -> String? {
        if status.isSymbolicLink { return "a symbolic link" }
        if status.isDirectory { return "a directory" }
        guard status.isRegularFile else { return "not a regular file" }
        return status.linkCount > 1 ? "a file with other names (hard links)" : nil
    }

    /// Whether the file is ours, and its beginning was written.
    var hasBeginning: Bool {
        get throws(SystemCalls.Failure) {
            guard case .ours(let content) = try find() else { return false }
            return content.first.map { $0 != 0 } ?? false
        }
    }

    /// Throws unless the file is ours or missing.
    ///
    /// - Throws: ``StoreError`` with code `invalidPath`, or that of a failure to look.
    func requireOurs() throws {
        let finding: Finding
        do { finding = try find() } catch {
            throw error.error("The file \"\(path)\" beside the store cannot be examined")
        }
        if case .strange(let reason) = finding { throw refusal(reason) }
    }

    /// Removes the file if it is ours.
    func removeIfOurs() {
        // A file that cannot be looked at stays, and does no harm.
        guard case .ours? = try? find() else { return }
        SystemCalls.unlink(path)
    }

    /// The error for another program's file.
    func refusal(_ reason: String) -> StoreError {
        let advice =
            kind.holdsRows
            ? "If it holds changes of this store, put a copy of it in its place; if not, move it away."
            : "Move it away, or choose another path for the store."
        return StoreError(
            .invalidPath,
            "\"\(path)\", where \(kind.name) of the store belongs, is \(reason). It was left as it was. \(advice)"
        )
    }
}
