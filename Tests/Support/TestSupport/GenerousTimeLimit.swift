package import Testing

extension Trait where Self == TimeLimitTrait {
    /// Ends a test that hangs.
    ///
    /// It is no bound on a test's speed: machines that are busy with something else take many times
    /// as long as idle ones, and so does a build with a sanitizer.
    package static var generousTimeLimit: Self { .timeLimit(.minutes(30)) }
}
