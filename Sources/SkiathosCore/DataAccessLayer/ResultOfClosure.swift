extension Optional {
    /// The result of a closure that has run and returned.
    ///
    /// Closures pass through the layers below without their result: where its type is not known to
    /// the compiler, copying it costs more than the rest of a small access.
    @inlinable
    var resultOfClosure: Wrapped {
        guard let self else {
            preconditionFailure("A closure has returned, but left no result.")
        }
        return self
    }
}
