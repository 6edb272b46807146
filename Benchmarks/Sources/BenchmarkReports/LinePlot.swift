/// Times as lines over a series of numbers, on a logarithmic scale.
///
/// The numbers stand at equal distances, so that 0 is among them.
package struct LinePlot {
    /// One of the lines.
    package struct Line: Sendable {
        /// What it is called.
        package let name: String
        /// A time in microseconds for each number, as far as there is one.
        package let microseconds: [Double]
        /// Whether it is drawn in the colour of the line before, as its lighter companion.
        package let isCompanion: Bool

        package init(_ name: String, microseconds: [Double], isCompanion: Bool = false) {
            self.name = name
            self.microseconds = microseconds
            self.isCompanion = isCompanion
        }
    }

    private let title: String
    private let subtitle: String
    private let numbers: [Int]
    private let unit: String
    private let lines: [Line]
    private let scale: LogScale
    private let layout = Layout()

    /// - Parameters:
    ///   - numbers: The numbers on the horizontal axis.
    ///   - unit: What they count.
    package init(
        title: String, subtitle: String, numbers: [Int], unit: String, lines: [Line]
    ) {
        self.title = title
        self.subtitle = subtitle
        self.numbers = numbers
        self.unit = unit
        self.lines = lines
        scale = LogScale(covering: lines.flatMap(\.microseconds))
    }

    /// The picture.
    package var svg: String {
        var canvas = SVGCanvas()
        canvas.text(title, layout.left, 34, size: 20, weight: "bold")
        canvas.text(subtitle, layout.left, 56, size: 13, fill: layout.muted)
        drawAxes(on: &canvas)
        for (line, color) in zip(lines, colors) { draw(line, color, on: &canvas) }
        drawNames(on: &canvas)
        return canvas.document(width: layout.width, height: layout.height)
    }

    /// The colour of each line.
    private var colors: [String] {
        var number = -1
        return lines.map { line in
            if !line.isCompanion { number += 1 }
            let pair = layout.colors[max(number, 0) % layout.colors.count]
            return line.isCompanion ? pair.light : pair.full
        }
    }

    private func x(_ position: Int) -> Double {
        layout.left + layout.plotWidth * (Double(position) + 0.5) / Double(max(numbers.count, 1))
    }

    private func y(_ microseconds: Double) -> Double {
        layout.top + layout.plotHeight * (1 - scale.position(of: microseconds))
    }

    private func drawAxes(on canvas: inout SVGCanvas) {
        let right = layout.left + layout.plotWidth
        let bottom = layout.top + layout.plotHeight
        for tick in scale.ticks {
            canvas.line(layout.left, y(tick), right, y(tick), stroke: layout.grid, width: 1)
            canvas.text(
                label(tick), layout.left - 8, y(tick) + 4, size: 12, anchor: "end",
                fill: layout.muted)
        }
        for (position, number) in numbers.enumerated() {
            canvas.text(
                Format.count(number), x(position), bottom + 18, size: 12, anchor: "middle",
                fill: layout.muted)
        }
        canvas.text(
            unit, layout.left + layout.plotWidth / 2, bottom + 40, size: 13, anchor: "middle")
    }

    private func label(_ microseconds: Double) -> String {
        microseconds >= 1e3
            ? "\(LogScale.label(microseconds / 1e3)) ms" : "\(LogScale.label(microseconds)) µs"
    }

    private func draw(_ line: Line, _ color: String, on canvas: inout SVGCanvas) {
        let points = line.microseconds.enumerated().map { (x($0), y($1)) }
        for ((x1, y1), (x2, y2)) in zip(points, points.dropFirst()) {
            canvas.line(x1, y1, x2, y2, stroke: color, width: 2.5)
        }
        for ((x, y), time) in zip(points, line.microseconds) {
            let label = "\(line.name): \(Format.seconds(time * 1e-6))"
            canvas.rectangle(x - 3.5, y - 3.5, 7, 7, fill: color, title: label)
        }
    }

    private func drawNames(on canvas: inout SVGCanvas) {
        var top = layout.top + 12
        for (line, color) in zip(lines, colors) {
            let left = layout.left + layout.plotWidth + 20
            canvas.rectangle(left, top - 9, 14, 10, fill: color)
            canvas.text(line.name, left + 22, top, size: 13)
            top += 22
        }
    }

    private struct Layout {
        let width = 1000.0
        let height = 500.0
        let left = 90.0
        let top = 80.0
        let plotWidth = 640.0
        let plotHeight = 350.0
        let muted = "#52606d"
        let grid = "#e4e7eb"
        let colors = [
            (full: "#d9480f", light: "#f4b183"), (full: "#3b6fb6", light: "#a5c4e7"),
            (full: "#5f6b7a", light: "#b8c0ca"),
        ]
    }
}
