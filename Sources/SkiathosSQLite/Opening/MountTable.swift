/// The file systems of a Linux machine by the directories at which they are mounted, as
/// `/proc/self/mountinfo` lists them; see proc_pid_mountinfo(5).
struct MountTable {
    /// A mounted file system.
    struct Mount: Equatable {
        var directory: String
        var type: String
    }

    /// The mounts, the oldest first.
    let mounts: [Mount]

    /// Reads the lines of the table.
    ///
    /// A line of another form is skipped.
    init(_ text: String) {
        mounts = text.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ")
            // A hyphen ends the optional fields; the type follows.
            guard fields.count > 6, let hyphen = fields[6...].firstIndex(of: "-"),
                fields.indices.contains(hyphen + 1)
            else { return nil }
            return Mount(directory: Self.unescape(fields[4]), type: String(fields[hyphen + 1]))
        }
    }

    /// The type of the file system that an absolute path without links lies on.
    func type(at path: String) -> String? {
        let holding = mounts.filter { mount in
            mount.directory == "/" || path == mount.directory
                || path.hasPrefix(mount.directory + "/")
        }
        // The innermost mount counts; of several at one directory the newest, which hides the
        // others.
        let longest = holding.map(\.directory.utf8.count).max()
        return holding.last { $0.directory.utf8.count == longest }?.type
    }

    /// Whether another machine or program serves file systems of a type, so that a database cannot
    /// trust its locks or its shared memory.
    static func isRemote(_ type: String) -> Bool {
        remoteTypes.contains(type) || type.hasPrefix("fuse.")
    }

    private static let remoteTypes: Set<String> = [
        "nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "virtiofs", "fuse", "fuseblk", "afs", "coda",
        "ceph", "lustre", "ncpfs", "vboxsf", "vmhgfs", "prl_fs",
    ]

    /// Spaces and the like are written as a backslash and three octal digits.
    private static func unescape(_ field: Substring) -> String {
        let bytes = Array(field.utf8)
        var plain: [UInt8] = []
        var position = 0
        while position < bytes.count {
            let digits = bytes[position...].dropFirst().prefix(3)
            if bytes[position] == UInt8(ascii: "\\"), digits.count == 3,
                let byte = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
            {
                plain.append(byte)
                position += 4
            } else {
                plain.append(bytes[position])
                position += 1
            }
        }
        return String(decoding: plain, as: UTF8.self)
    }
}
