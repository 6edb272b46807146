public import SkiathosStore

/// Fields of values that columns store as JSON, by the key paths of their properties.
///
/// ```swift
/// @Embedded struct Address: Codable { var city = ""; var zip: String? }
///
/// try User.all(where: { $0.address[\.city] == "Athens" }, orderedBy: { [$0.address[\.zip].ascending] }, in: context)
/// // … WHERE (json_extract("address", '$."city"') = 'Athens') ORDER BY json_extract("address", '$."zip"'), "id"
/// ```
extension QueryOperand where Value: Embedded {
    /// A field of the value, wherever an operand may stand.
    ///
    /// A field that has fields is followed by another key path, `[\.home][\.city]`, or in one,
    /// `[\.home.city]`. No index is used.
    ///
    /// - Throws: when the query is run, `DataAccessError` with code `invalidRequest` if the
    ///   fields of the type do not name the property, or it holds numbers that are computed
    ///   differently in JSON, such as `Decimal`.
    public subscript<V: Sendable>(_ keyPath: KeyPath<Value, V>) -> ColumnExpression<Root, V> {
        FieldAccess(expression.source, keyPath).expression()
    }
}

extension QueryOperand where Value: OptionalColumnValue, Value.Wrapped: Embedded {
    /// A field of the value; none where there is no value.
    public subscript<V: Sendable>(
        _ keyPath: KeyPath<Value.Wrapped, V>
    ) -> ColumnExpression<Root, V?> {
        let field: ColumnExpression<Root, V> = FieldAccess(expression.source, keyPath).expression()
        return field.optional
    }

    /// A field of the value; none where there is no value or no field.
    public subscript<V: Sendable & OptionalColumnValue>(
        _ keyPath: KeyPath<Value.Wrapped, V>
    ) -> ColumnExpression<Root, V> {
        FieldAccess(expression.source, keyPath).expression()
    }
}

extension QueryOperand {
    /// Exists only for its diagnostic.
    @available(
        *, unavailable,
        message:
            "only values of types that are @Embedded have fields in queries. Put @Embedded before the struct, or adopt Embedded."
    )
    @_disfavoredOverload
    public subscript<V: Sendable>(_ keyPath: KeyPath<Value, V>) -> ColumnExpression<Root, V> {
        preconditionFailure("Only embedded values have fields.")
    }
}

extension QueryOperand where Value: OptionalColumnValue {
    /// Exists only for its diagnostic.
    @available(
        *, unavailable,
        message:
            "only values of types that are @Embedded have fields in queries. Put @Embedded before the struct, or adopt Embedded."
    )
    @_disfavoredOverload
    public subscript<V: Sendable>(
        _ keyPath: KeyPath<Value.Wrapped, V>
    ) -> ColumnExpression<Root, V?> {
        preconditionFailure("Only embedded values have fields.")
    }
}

/// A field of the value of an expression.
private struct FieldAccess<Base: Embedded, V: Sendable> {
    private let place: Result<FieldPlace, any Error>
    private let value: Result<StoreExpression, any Error>

    init(_ value: Result<StoreExpression, any Error>, _ keyPath: KeyPath<Base, V>) {
        self.value = value
        place = Result { try Self.place(of: keyPath) }
    }

    func expression<Root: Entity>() -> ColumnExpression<Root, V> {
        let source = value.flatMap { value in place.map { Self.field($0, of: value) } }
        guard let coding = (try? place.get()).flatMap({ Self.valueCoding($0.coding) }) else {
            return ColumnExpression(source, .refused)
        }
        return ColumnExpression(source, coding)
    }

    private static func place(of keyPath: KeyPath<Base, V>) throws -> FieldPlace {
        guard let place = Base.place(of: keyPath), valueCoding(place.coding) != nil else {
            throw DataAccessError(
                .invalidRequest,
                "A query asks for a property of \(Base.self) that \(Base.self).fields does not name. Name it there with its key, or ask for a stored property."
            )
        }
        guard place.form != .json || !isNumber(V.self) else {
            throw DataAccessError(
                .invalidRequest,
                "A query asks for a field of \(Base.self) of the type \(V.self), whose digits in JSON a store does not compute with. Use Double or an integer of at most 64 bits with a sign, or keep the number in a column of its own."
            )
        }
        return place
    }

    /// A field of a field is looked up by both keys at once.
    private static func field(_ place: FieldPlace, of value: StoreExpression) -> StoreExpression {
        switch value {
        case .call(.field(let names, .json), let arguments):
            .call(.field(names + place.names, place.form), arguments)
        case .through(let reference, let inner): .through(reference, field(place, of: inner))
        case .outer(let row, let inner): .outer(row, field(place, of: inner))
        default: .call(.field(place.names, place.form), [value])
        }
    }

    private static func valueCoding(_ coding: any ColumnCoding.Type) -> ValueCoding<V>? {
        func make<C: ColumnCoding>(_ coding: C.Type) -> ValueCoding<V>? {
            ValueCoding(coding) as? ValueCoding<V>
        }
        return make(coding)
    }

    private static func isNumber(_ type: Any.Type) -> Bool {
        if let optional = type as? any OptionalType.Type { return isNumber(optional.wrapped) }
        return type is any Numeric.Type
    }
}

/// Optionals, for finding the type that they wrap.
private protocol OptionalType {
    static var wrapped: Any.Type { get }
}

extension Optional: OptionalType {
    fileprivate static var wrapped: Any.Type { Wrapped.self }
}
