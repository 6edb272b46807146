import PlatformLibC

/// How many processor cores there are to run on.
enum ProcessorCount {
    static var current: Int { min(64, max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))) }
}
