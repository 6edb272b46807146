#if Macros && Requests
import ArgumentParser
import NotesServerKit

@main
enum App {
    static func main() async { await NotesServer.main() }
}
#else
@main
enum App {
    static func main() {
        print(
            "NotesServer needs the traits Macros and Requests: swift run --traits Macros,Requests NotesServer"
        )
    }
}
#endif
