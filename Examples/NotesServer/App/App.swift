#if Macros && Networking
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
        print("NotesServer needs the traits Macros and Networking, which are on by default.")
    }
}
#endif
