#if canImport(Glibc)
import Glibc
#endif

/// How many bytes a value takes on the heap of this process, or `nil` where it cannot be told.
func heapBytes<Value>(of make: () throws -> Value) rethrows -> (value: Value, bytes: Int)? {
    #if canImport(Glibc)
    let before = mallinfo2()
    let value = try make()
    let after = mallinfo2()
    let bytes = Int(after.uordblks + after.hblkhd) - Int(before.uordblks + before.hblkhd)
    return (value, bytes)
    #else
    return nil
    #endif
}
