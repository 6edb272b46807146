#if RequestCore
package import SkiathosPlatformFoundation

/// The bytes of one element of a document, and their offset.
package struct JSONElement: Sendable, Equatable {
    /// The element as it came.
    package var bytes: Data
    /// The number of bytes of the document before it.
    package var offset: Int64

    package init(bytes: Data, offset: Int64) {
        self.bytes = bytes
        self.offset = offset
    }
}
#endif
