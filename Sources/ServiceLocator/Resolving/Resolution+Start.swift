extension Resolution {
    enum Start {
        case ready(ErasedBox)
        /// The caller makes the service.
        case make(Construction)
        case wait(Construction)
    }

    /// Decides how to get the service, and enters a construction if none is in progress.
    func start(synchronously: Bool) throws(ServiceLocatorError) -> Start {
        if let fake = overrides?.fake(of: key, for: asker) { return .ready(fake) }
        let found: Found
        switch try find() {
        case .service(let box): return .ready(box)
        case .registration(let registration): found = registration
        }
        let registration = found.registration
        if synchronously, registration.isAsynchronous {
            throw .asynchronous(registration, path: path)
        }
        if let box = registration.initialBox { return .ready(box) }
        let home = registration.lifetime == .singleton ? found.owner : asker
        try refuseRepetition(registration, in: home)
        let holding = overrides?.holding(for: home)
        func construction(_ keeper: (any InstanceKeeper)?) -> Construction {
            Construction(
                registration, home: home, parent: builder, overrides: holding, keeper: keeper)
        }
        if registration.lifetime == .transient { return .make(construction(nil)) }
        if let box = holding?.made(registration, in: home) ?? home.builtBox(of: registration) {
            return .ready(box)
        }
        if let holding {
            return try start(holding.begin(construction(holding), path: path), home)
        }
        return try start(home.begin(construction(home)), home)
    }

    private func start(
        _ beginning: ServiceLocator.Beginning, _ home: ServiceLocator
    ) throws(ServiceLocatorError) -> Start {
        switch beginning {
        case .ready(let box): .ready(box)
        case .wait(let construction): .wait(construction)
        case .construct(let construction): .make(construction)
        case .closed: throw .closed(home.name, path: path)
        }
    }

    /// Throws `cycle` if this task is already making the service.
    ///
    /// The wait-for graph does not show this for transient services, since each resolve makes
    /// a new one.
    private func refuseRepetition(
        _ registration: Registration, in home: ServiceLocator
    ) throws(ServiceLocatorError) {
        guard let chain = builder?.chain,
            let first = chain.firstIndex(where: {
                $0.registration === registration && $0.home == ObjectIdentifier(home)
            })
        else { return }
        throw .cycle(
            chain[first...].map(\.label) + [key.description],
            places: chain[first...].compactMap { $0.registration?.place })
    }
}
