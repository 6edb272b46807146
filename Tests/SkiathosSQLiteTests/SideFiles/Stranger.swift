import Foundation
import SkiathosPlatformLibC
import Testing

@testable import SkiathosSQLite

/// A file of another program, in a place where one of a store's own files belongs.
enum Stranger: String, CaseIterable {
    case content, hardLink, link, linkToNothing, pipe, directory, socket

    /// The content that the file, or what it leads to, has and must keep.
    static let precious = Data((0..<700).map { UInt8(ascii: "A") + UInt8($0 % 26) })

    /// Puts the file at a path, and what it leads to into the same directory.
    func put(at path: String, in directory: TemporaryDirectory) throws {
        let manager = FileManager.default
        try? manager.removeItem(atPath: path)
        try directory.write(Self.precious, "precious")
        switch self {
        case .content: try Self.precious.write(to: URL(fileURLWithPath: path))
        case .hardLink: try manager.linkItem(atPath: directory.file("precious"), toPath: path)
        case .link:
            try manager.createSymbolicLink(
                atPath: path, withDestinationPath: directory.file("precious"))
        case .linkToNothing:
            try manager.createSymbolicLink(
                atPath: path, withDestinationPath: directory.file("nothing"))
        case .pipe: try #require(mkfifo(path, 0o600) == 0)
        case .directory:
            try manager.createDirectory(atPath: path, withIntermediateDirectories: false)
        case .socket: try #require(mknod(path, S_IFSOCK | 0o600, 0) == 0)
        }
    }

    /// All that another program could see of the file.
    struct Look: Equatable {
        var inode: UInt64?
        var mode: UInt32?
        var size: Int?
        var content: Data?
        var target: Data?
        var hasFollowedLink: Bool
    }

    /// Looks at the file, and at what it leads to.
    static func look(at path: String, in directory: TemporaryDirectory) -> Look {
        let manager = FileManager.default
        var status = stat()
        let isThere = lstat(path, &status) == 0
        let isFile = isThere && status.st_mode & S_IFMT == S_IFREG
        return Look(
            inode: isThere ? UInt64(status.st_ino) : nil,
            mode: isThere ? UInt32(status.st_mode) : nil,
            size: isThere ? Int(status.st_size) : nil,
            content: isFile ? manager.contents(atPath: path) : nil,
            target: manager.contents(atPath: directory.file("precious")),
            hasFollowedLink: manager.fileExists(atPath: directory.file("nothing")))
    }
}
