/// Runs a closure to its end, whether or not the task is cancelled.
///
/// What has begun to end services waits for all of them; a cancelled task would go on at once.
func shielded<Value: Sendable>(
    isolation: isolated (any Actor)? = #isolation, _ body: @escaping @Sendable () async -> Value
) async -> Value {
    await Task(operation: body).value
}
