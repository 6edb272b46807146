/// Short names for texts that are the same in every process and version, unlike Swift's own hashes.
package enum Fingerprint {
    /// FNV-1a, 64 bits (draft-eastlake-fnv).
    package static func hash(_ text: String) -> UInt64 { hash(text.utf8) }

    /// The same of bytes.
    package static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        return hash
    }
}
