#if RequestCore
import Metrics

extension Pipeline {
    /// The steps after a request is resolved, outermost first: the only place that defines
    /// their order.
    static func steps(
        for configuration: DataRequestService.Configuration, retrying: RetryStep,
        reachability: ReachabilityStep
    ) -> [any PipelineStep] {
        var steps: [any PipelineStep] = configuration.interceptors.map(InterceptorStep.init)
        if let policy = configuration.conditionalRequests {
            steps.append(
                ConditionalRequestStep(policy, sensitiveHeaders: configuration.sensitiveHeaders))
        }
        steps.append(retrying)
        if let policy = configuration.circuitBreaker {
            steps.append(CircuitBreakerStep(policy: policy, clock: retrying.clock))
        }
        steps.append(AuthorisationStep())
        steps.append(
            RedirectStep(
                policy: configuration.redirects, sensitiveHeaders: configuration.sensitiveHeaders))
        steps += configuration.networkInterceptors.map(InterceptorStep.init)
        steps += BodySteps.interceptors(for: configuration).map(InterceptorStep.init)
        steps.append(
            ExchangeTelemetryStep(
                clock: retrying.clock, logger: configuration.logger,
                metrics: ExchangeMetrics(configuration.metricsFactory ?? MetricsSystem.factory)))
        steps.append(reachability)
        return steps
    }
}
#endif
