import Foundation

/// A dynamic library that was loaded at run time, and stays so.
struct LoadedLibrary {
    let path: String
    // Only passed to dlsym.
    private let handle: UnsafeMutableRawPointer

    init(_ path: String) throws {
        guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
            throw BenchmarkError(dlerror().map { String(cString: $0) } ?? "\(path) is no library.")
        }
        self.path = path
        self.handle = handle
    }

    /// A function by its name; its type must be a C function's, and is not checked.
    func function<Function>(_ name: String) throws -> Function {
        guard let symbol = dlsym(handle, name) else {
            throw BenchmarkError("\(path) has no function \(name).")
        }
        return unsafeBitCast(symbol, to: Function.self)
    }
}
