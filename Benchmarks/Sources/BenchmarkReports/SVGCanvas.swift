/// Shapes of a picture in the format SVG.
struct SVGCanvas {
    private var shapes: [String] = []

    mutating func append(_ other: SVGCanvas) { shapes += other.shapes }

    mutating func rectangle(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double, fill: String,
        title: String? = nil
    ) {
        let place = "x=\"\(number(x))\" y=\"\(number(y))\""
        let size = "width=\"\(number(width))\" height=\"\(number(height))\""
        let inner = title.map { "<title>\(Self.escaped($0))</title>" } ?? ""
        shapes.append("<rect \(place) \(size) fill=\"\(fill)\">\(inner)</rect>")
    }

    mutating func line(
        _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, stroke: String, width: Double
    ) {
        shapes.append(
            "<line x1=\"\(number(x1))\" y1=\"\(number(y1))\" x2=\"\(number(x2))\" y2=\"\(number(y2))\" stroke=\"\(stroke)\" stroke-width=\"\(number(width))\"/>"
        )
    }

    /// Draws a text on one line.
    ///
    /// - Parameter limit: How wide it may be; a longer one is cut off, which is estimated.
    mutating func text(
        _ text: String, _ x: Double, _ y: Double, size: Double, weight: String = "normal",
        anchor: String = "start", fill: String = "#1f2933", limit: Double? = nil
    ) {
        var text = text
        if let limit {
            let most = Int(limit / (size * 0.52))
            if text.count > most { text = text.prefix(most - 1) + "…" }
        }
        shapes.append(
            "<text x=\"\(number(x))\" y=\"\(number(y))\" font-size=\"\(number(size))\" font-weight=\"\(weight)\" text-anchor=\"\(anchor)\" fill=\"\(fill)\">\(Self.escaped(text))</text>"
        )
    }

    /// The whole file.
    func document(width: Double, height: Double) -> String {
        let size = "width=\"\(number(width))\" height=\"\(number(height))\""
        let box = "viewBox=\"0 0 \(number(width)) \(number(height))\""
        let head =
            "<svg xmlns=\"http://www.w3.org/2000/svg\" \(size) \(box) font-family=\"Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif\">"
        let ground = "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>"
        return ([head, ground] + shapes + ["</svg>", ""]).joined(separator: "\n")
    }

    private func number(_ value: Double) -> String {
        let text = Format.fixed(value, 2)
        return text.hasSuffix(".00") ? String(text.dropLast(3)) : text
    }

    static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.append(character)
            }
        }
        return result
    }
}
