import Synchronization

extension LMDB {
    /// What was loaded, once in a process.
    private static let loaded = Mutex<LMDB?>(nil)

    #if canImport(Darwin)
    private static let name = "liblmdb.dylib"
    #else
    private static let name = "liblmdb.so.0"
    #endif

    static let advice =
        "Install it with: apt-get install liblmdb0 – or say where the library is with --lmdb PATH."

    /// Loads the library from a path, or from where the system looks for libraries.
    @discardableResult
    static func load(_ path: String? = nil) throws -> LMDB {
        try loaded.withLock { loaded in
            if let loaded { return loaded }
            let lmdb = try LMDB(LoadedLibrary(path ?? name))
            loaded = lmdb
            return lmdb
        }
    }
}
