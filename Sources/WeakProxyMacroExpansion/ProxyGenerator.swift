#if Macros
/// Writes the proxy of a protocol, one function for each kind of member.
struct ProxyGenerator {
    private let model: ProxyModel

    init(_ model: ProxyModel) { self.model = model }

    func declaration() -> String {
        let kind = model.isOfClasses ? "final class" : "struct"
        let members =
            [stored(), initializer()] + model.properties.map(property)
            + model.functions.map(function)
        let head =
            model.attributes + [
                "\(model.access)\(kind) \(model.name)WeakProxy: \(model.name) {"
            ]
        return (head + [members.joined(separator: "\n\n"), "}"]).joined(separator: "\n")
    }

    /// What the members of the proxy begin with.
    private var access: String {
        ["public ", "package "].contains(model.access) ? model.access : ""
    }

    private func stored() -> String {
        "    private weak let target: (any \(model.name) & AnyObject)?"
    }

    private func initializer() -> String {
        """
            \(access)init(_ target: any \(model.name) & AnyObject) {
                self.target = target
            }
        """
    }

    private func property(_ property: PropertyModel) -> String {
        let effects = [property.isAsync ? "async" : "", property.throwing]
            .filter { !$0.isEmpty }.map { " \($0)" }.joined()
        let call = call("target.\(property.name)", property.isAsync, !property.throwing.isEmpty)
        let attributes = property.attributes.map { "\($0) " }.joined()
        return """
                \(attributes)\(access)var \(property.name): \(property.type) {
                    get\(effects) {
            \(guarding(property.ending, indent: "            "))
                        return \(call)
                    }\(property.isSettable ? setter(property) : "")
                }
            """
    }

    private func setter(_ property: PropertyModel) -> String {
        let word = model.isOfClasses ? "set" : "nonmutating set"
        let binding = property.setsByMutation && !model.isOfClasses ? "var" : "let"
        return """

                    \(word) {
                        guard \(binding) target else { return }
                        target.\(property.name) = newValue
                    }
            """
    }

    private func function(_ function: FunctionModel) -> String {
        let arguments = function.arguments.joined(separator: ", ")
        let call = call(
            "target.\(function.name)(\(arguments))", function.isAsync, function.isThrowing)
        let attributes = function.attributes.map { "\($0) " }.joined()
        return """
                \(attributes)\(access)\(function.signature) {
            \(guarding(function.ending, indent: "        "))
                    return \(call)
                }
            """
    }

    private func guarding(_ ending: Ending, indent: String) -> String {
        let exit =
            switch ending {
            case .throwing: "throw ServiceLocatorError.released((any \(model.name)).self)"
            case .nothing: "return"
            case .value(let value): "return \(value)"
            }
        return "\(indent)guard let target else { \(exit) }"
    }

    private func call(_ expression: String, _ isAsync: Bool, _ isThrowing: Bool) -> String {
        (isThrowing ? "try " : "") + (isAsync ? "await " : "") + expression
    }
}
#endif
