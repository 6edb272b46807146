import SkiathosPlatformLibC
import SkiathosStore

extension SystemCalls.Failure {
    /// The code of the error that this failure leads to.
    ///
    /// Only failures that permissions can repair count as not permitted.
    var code: StoreError.Code {
        switch number {
        case EACCES, EPERM, EROFS: .notPermitted
        case ENOSPC, EDQUOT: .diskFull
        case EMFILE, ENFILE: .tooManyOpenFiles
        case ELOOP, ENAMETOOLONG, ENOTDIR: .invalidPath
        default: .inputOutput
        }
    }

    /// The advice about the failure.
    var advice: String {
        switch code {
        case .notPermitted: "Check its permissions and those of its directories."
        case .diskFull: "Free some space and try again."
        case .invalidPath: "Name a path that leads to a file."
        case .tooManyOpenFiles: "Close files, or raise the limit of open files."
        default: "Try again; if it fails again, check the disk and the memory."
        }
    }

    /// The error in the terms of a store.
    ///
    /// - Parameter sentence: What has failed, without a full stop.
    func error(_ sentence: String) -> StoreError {
        StoreError(code, "\(sentence): \(self). \(advice)", backendCode: Int(number))
    }
}

extension SystemCalls {
    /// Why a file of a store cannot be opened, as far as the reason still exists.
    ///
    /// SQLite says only that it could not open it. A shortage of descriptors and missing permissions
    /// last longer than the call, so they are looked for; no file of the store is opened for that.
    static func reasonNotToOpen(_ file: String) -> Failure {
        let directory = directory(of: file)
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if descriptor < 0 { return Failure(number: errno) }
        closeFile(descriptor)
        // A missing file was to be created.
        guard access(file, R_OK | W_OK) == 0 || errno == ENOENT else {
            return Failure(number: errno)
        }
        guard access(directory, W_OK | X_OK) == 0 else { return Failure(number: errno) }
        return Failure(number: EIO)
    }

    /// Whether this process may read a file, and may not add others to its directory.
    static func isOnlyDirectoryClosed(of file: String) -> Bool {
        access(file, R_OK) == 0 && access(directory(of: file), W_OK | X_OK) != 0
    }

    /// The directory of a file that is named by an absolute path.
    static func directory(of file: String) -> String {
        let slash = file.lastIndex(of: "/") ?? file.startIndex
        return slash == file.startIndex ? "/" : String(file[..<slash])
    }
}
