import CHeap

/// Makes a value and tells how many bytes it takes on the heap, or `nil` where that is not known.
func heapBytes<Value>(of make: () throws -> Value) rethrows -> (value: Value, bytes: Int)? {
    let before = heap_bytes_in_use()
    guard before >= 0 else { return nil }
    let value = try make()
    return (value, Int(heap_bytes_in_use() - before))
}
