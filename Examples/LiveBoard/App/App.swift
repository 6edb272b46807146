#if Macros && Hummingbird
import ArgumentParser
import LiveBoardKit

@main
enum App {
    static func main() async { await LiveBoard.main() }
}
#else
@main
enum App {
    static func main() {
        print(
            "LiveBoard needs the traits Macros and Hummingbird: swift run --traits Macros,Hummingbird LiveBoard"
        )
    }
}
#endif
