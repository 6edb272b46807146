import CSupport

/// Runs a closure as what callgrind counts.
func counted(_ body: () throws -> Void) throws {
    try withoutActuallyEscaping(body) { body in
        var work = CountedWork(body: body)
        withUnsafeMutablePointer(to: &work) { work in
            counted_part(
                { $0?.assumingMemoryBound(to: CountedWork.self).pointee.run() }, work)
        }
        if let error = work.error { throw error }
    }
}

private struct CountedWork {
    let body: () throws -> Void
    var error: (any Error)?

    mutating func run() {
        do { try body() } catch { self.error = error }
    }
}
