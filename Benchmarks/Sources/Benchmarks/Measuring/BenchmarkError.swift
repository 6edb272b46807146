/// An outcome that differs between contestants, a failing C call, or something that is missing.
struct BenchmarkError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
