#if Macros && Requests
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
        print(
            "OfflineFirst needs the traits Macros and Requests: swift run --traits Macros,Requests OfflineFirst"
        )
    }
}
#endif
