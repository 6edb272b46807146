import Foundation

/// A whole number that a variable of the environment sets, by which tests are made longer or repeated.
///
/// ```sh
/// TRANSFER_BYTES=5000 make test FILTER=MemoryTests
/// ```
///
/// A text that is not such a number ends the tests, which would say nothing about what was asked.
///
/// - Returns: The number; `nil` if the variable is not set.
package func setting<N: FixedWidthInteger>(_ variable: String) -> N? {
    guard let text = ProcessInfo.processInfo.environment[variable] else { return nil }
    guard let number = N(text) else {
        fatalError("\(variable) must be a whole number of the type \(N.self), and is \"\(text)\".")
    }
    return number
}
