extension WriterLock {
    /// The form of a lock file.
    static let form: SideFile.Form = {
        let longest = 4096
        return SideFile.Form(
            longest: Int64(longest), sample: longest, content: "a process ID"
        ) { Holder.isPart(of: $0) }
    }()

    /// The holder of a lock, as its file names it.
    ///
    /// The content is a line: a process ID, a space and a boot ID, where the system has one, and spaces up
    /// to the same length for all processes, so that each overwrites all of the one before.
    struct Holder {
        /// `nil` if the file is new, or was torn by a loss of power.
        var processID: Int32?
        var bootID: String?

        private static let bootIDLength = 36
        /// The digits of the largest process ID.
        private static let processIDLength = 10

        init(processID: Int32, bootID: String?) {
            self.processID = processID
            self.bootID = bootID
        }

        /// Reads the content of a lock file that is ours.
        init(_ finding: SideFile.Finding) {
            guard case .ours(let content) = finding else { return }
            let lines = content.split(
                separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            // A line without an end was torn.
            guard lines.count > 1 else { return }
            let words = lines[0].split(separator: UInt8(ascii: " "))
            processID = words.first.flatMap { Int32(String(decoding: $0, as: UTF8.self)) }
            guard let boot = words.dropFirst().first, boot.count == Self.bootIDLength else {
                return
            }
            bootID = String(decoding: boot, as: UTF8.self)
        }

        /// The content of the file.
        var text: String {
            let words = [processID.map { "\($0)" }, bootID].compactMap { $0 }.joined(separator: " ")
            let length = Self.processIDLength + 1 + Self.bootIDLength
            return words + String(repeating: " ", count: max(0, length - words.count)) + "\n"
        }

        /// Whether bytes are the content of a lock file: whole, or ended early, or with NULs at the end.
        static func isPart(of bytes: [UInt8]) -> Bool {
            var rest = bytes[...]
            while rest.last == 0 { rest.removeLast() }
            drop(from: &rest, atMost: processIDLength) {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
            }
            if rest.first == UInt8(ascii: " ") {
                rest.removeFirst()
                drop(from: &rest, atMost: bootIDLength) { byte in
                    byte == UInt8(ascii: "-") || Character(UnicodeScalar(byte)).isHexDigit
                }
                drop(from: &rest, atMost: processIDLength + bootIDLength) {
                    $0 == UInt8(ascii: " ")
                }
            }
            return rest.isEmpty || rest.elementsEqual([UInt8(ascii: "\n")])
        }

        private static func drop(
            from bytes: inout ArraySlice<UInt8>, atMost limit: Int, _ belongs: (UInt8) -> Bool
        ) {
            bytes.removeFirst(bytes.prefix(limit).prefix(while: belongs).count)
        }
    }
}
