extension Pipeline {
    /// The steps below the resolving of a request, outermost first: the one place where their
    /// order stands.
    static func steps(
        for configuration: DataRequestService.Configuration
    ) -> [any PipelineStep] {
        var steps: [any PipelineStep] = configuration.interceptors.map(InterceptorStep.init)
        steps += configuration.networkInterceptors.map(InterceptorStep.init)
        steps += BodySteps.interceptors(for: configuration).map(InterceptorStep.init)
        return steps
    }
}
