#if Macros && Networking
import ArgumentParser
import OfflineFirstKit

@main
enum App {
    static func main() async { await OfflineFirst.main() }
}
#else
@main
enum App {
    static func main() {
        print("OfflineFirst needs the traits Macros and Networking, which are on by default.")
    }
}
#endif
