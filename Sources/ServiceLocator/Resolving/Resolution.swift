/// One resolve that the lock-free table could not answer.
struct Resolution {
    let key: ServiceKey
    /// The scope that resolves.
    let asker: ServiceLocator
    /// The construction or closing that the calling task works on.
    let builder: WaitNode?
    let overrides: OverrideSet?

    init(_ key: ServiceKey, _ asker: ServiceLocator) {
        self.key = key
        self.asker = asker
        builder = WaitNode.active
        overrides = OverrideSet.current
    }

    /// The services from the one that was resolved first to this.
    var path: [String] { WaitNode.path(to: key) }

    /// Makes the service on this thread, or blocks while another thread makes it.
    func now() throws(ServiceLocatorError) -> ErasedBox {
        switch try start(synchronously: true) {
        case .ready(let box):
            return box
        case .make(let construction):
            return try WaitGraph.wait(builder, for: construction.node) {
                () throws(ServiceLocatorError) in try construction.runNow()
            }
        case .wait(let construction):
            return try WaitGraph.wait(builder, for: construction.node) {
                () throws(ServiceLocatorError) in
                do throws(ServiceLocatorError) {
                    return try construction.wait()
                } catch {
                    throw error.asked(by: path)
                }
            }
        }
    }

    /// Makes the service, or waits until it is made.
    func value(isolation: isolated (any Actor)? = #isolation) async throws -> ErasedBox {
        switch try start(synchronously: false) {
        case .ready(let box):
            return box
        case .make(let construction) where construction.isShared && construction.isAsynchronous:
            construction.launch()
            return try await WaitGraph.wait(builder, for: construction.node) {
                try await construction.value()
            }
        case .make(let construction):
            return try await WaitGraph.wait(builder, for: construction.node) {
                try await construction.run()
            }
        case .wait(let construction):
            return try await WaitGraph.wait(builder, for: construction.node) {
                do {
                    return try await construction.value()
                } catch let error as ServiceLocatorError {
                    throw error.asked(by: path)
                }
            }
        }
    }

}

extension ServiceLocatorError {
    /// The same error for a caller that reached the failed service by another path.
    fileprivate func asked(by path: [String]) -> Self {
        guard code != .cycle, let last = path.last, let index = self.path.firstIndex(of: last)
        else { return self }
        var error = self
        error.path = path + self.path[(index + 1)...]
        return error
    }
}
