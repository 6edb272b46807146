@main
struct TransferChild {
    static func main() {
        #if Networking
        print("with")
        #endif
    }
}
