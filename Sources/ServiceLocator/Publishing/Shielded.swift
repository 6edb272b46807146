/// Runs a closure to its end, whether or not the task is cancelled.
///
/// A call that has begun to end services waits for all of them, also when its task is
/// cancelled.
func shielded<Value: Sendable>(
    isolation: isolated (any Actor)? = #isolation, _ body: @escaping @Sendable () async -> Value
) async -> Value {
    await Task(operation: body).value
}
