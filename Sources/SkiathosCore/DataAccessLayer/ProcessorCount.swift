import PlatformLibC

/// The number of processor cores, from 1 to 64.
enum ProcessorCount {
    static var current: Int { min(64, max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))) }
}
