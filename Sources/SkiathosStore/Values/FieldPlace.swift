/// Where a field stands in the JSON of a value.
package struct FieldPlace: Sendable {
    /// The keys that lead to it, from the outside in.
    package let names: [String]
    /// How it stands there.
    package let form: StoreFieldForm
    /// How queries take its values.
    package let coding: any ColumnCoding.Type
}

extension Embedded {
    /// The place of the field that a key path leads to, through fields of fields where it has several
    /// parts; `nil` if no list names it.
    package static func place(of keyPath: PartialKeyPath<Self>) -> FieldPlace? {
        place(of: keyPath, below: nil)
    }

    private static func place<Root>(
        of keyPath: PartialKeyPath<Root>, below outer: AnyKeyPath?
    ) -> FieldPlace? {
        for field in fields {
            let inner: AnyKeyPath = field.keyPath
            guard let path = outer.map({ $0.appending(path: inner) }) ?? inner else { continue }
            if isSame(path, keyPath) {
                return FieldPlace(names: [field.name], form: field.form, coding: field.coding)
            }
            // A path through an optional is another one than those that can be put together here.
            guard let embedded = field.embedded, field.coding.isOptional == false,
                let place = embedded.place(of: keyPath, below: path)
            else { continue }
            return FieldPlace(
                names: [field.name] + place.names, form: place.form, coding: place.coding)
        }
        return nil
    }

    /// Whether two key paths lead to the same stored property.
    ///
    /// Where a property can only be read from outside, the key path that is made there is another one
    /// than the one that its type makes; both then begin at the same byte.
    private static func isSame<Root>(_ path: AnyKeyPath, _ other: PartialKeyPath<Root>) -> Bool {
        if path == other { return true }
        guard let path = path as? PartialKeyPath<Root>,
            type(of: path).valueType == type(of: other).valueType,
            let offset = MemoryLayout<Root>.offset(of: path)
        else { return false }
        return offset == MemoryLayout<Root>.offset(of: other)
    }
}
