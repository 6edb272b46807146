/// The program that expands macros did not answer.
struct MacroProcessError: Error, CustomStringConvertible {
    let description: String
}
