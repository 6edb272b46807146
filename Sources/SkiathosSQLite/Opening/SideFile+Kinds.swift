extension SideFile {
    /// The purposes of the files beside a store.
    enum Kind: CaseIterable, Sendable {
        /// The file by which writers exclude each other.
        case lock
        /// The record of the end of the last synced WAL.
        case witness
        /// The space reserved for deletions.
        case reserve
        /// SQLite's write-ahead log.
        case wal
        /// The index of the WAL, which the connections share.
        case index
        /// SQLite's rollback journal, of a time before the store had a WAL.
        case journal
        /// A copy of a backup that is about to take the place of the main file.
        case replacement

        /// The end of the file's name.
        var suffix: String {
            switch self {
            case .lock: ".lock"
            case .witness: "-witness"
            case .reserve: "-reserve"
            case .wal: "-wal"
            case .index: "-shm"
            case .journal: "-journal"
            case .replacement: "-replacement"
            }
        }

        /// The name, for messages.
        var name: String {
            switch self {
            case .lock: "the lock"
            case .witness: "the witness of the WAL"
            case .reserve: "the reserve"
            case .wal: "the WAL"
            case .index: "the index of the WAL"
            case .journal: "the rollback journal"
            case .replacement: "the replacement"
            }
        }

        /// Whether rows of the store may be in the file.
        var holdsRows: Bool { [.wal, .journal, .replacement].contains(self) }

        /// The form of the content; `nil` where SQLite alone knows it.
        ///
        /// A WAL with a damaged header may hold commits, so nothing about it tells a stranger's file. The
        /// index has locks of SQLite on it, which end when another descriptor of it is closed.
        var form: Form? {
            switch self {
            case .lock: WriterLock.form
            case .witness: CommitWitness.form
            case .reserve: DiskReserve.form
            case .journal: .journal
            case .replacement: .replacement
            case .wal, .index: nil
            }
        }
    }

    /// The form that the content of a kind of file has.
    struct Form: Sendable {
        /// How many bytes a file of ours has at most.
        var longest: Int64
        /// How many bytes from the beginning are looked at.
        var sample: Int
        /// The content, as a part of a message.
        var content: String
        /// Whether these bytes are of a file of ours, whole or torn.
        var holds: @Sendable ([UInt8]) -> Bool

        /// The reason to leave a file as it is that is not of this form.
        var strangeness: String { "a file with other content than \(content)" }

        /// Whether bytes are the beginning of others, with nothing but NULs behind it.
        static func isTorn(_ bytes: some BidirectionalCollection<UInt8>, of whole: [UInt8]) -> Bool
        {
            let written = bytes.count - bytes.reversed().prefix { $0 == 0 }.count
            return whole.starts(with: bytes.prefix(written))
        }

        /// A journal that begins like one of SQLite, or whose beginning was never written
        /// (sqlite.org/fileformat2.html#the_rollback_journal).
        ///
        /// SQLite would delete any other.
        fileprivate static let journal: Self = {
            let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
            return Self(
                longest: .max, sample: magic.count, content: "a rollback journal of SQLite"
            ) { isTorn($0, of: magic) }
        }()

        /// A main file with our mark, which is complete under this name.
        fileprivate static let replacement: Self = {
            Self(
                longest: .max, sample: MainHeader.size, content: "a store"
            ) { bytes in bytes.withUnsafeBytes { MainHeader.isOfStore($0) } }
        }()
    }
}
