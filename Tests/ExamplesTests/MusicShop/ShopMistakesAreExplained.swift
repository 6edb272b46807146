#if Macros
import Foundation
import SkiathosTesting
import Testing

struct ShopMistakesAreExplained {
    @Test func `a file that is not there or not readable is named`() async throws {
        let shop = try ShopRun()
        let missing = try await shop.run("--data", "missing.json")
        #expect(missing.exitCode == 1)
        #expect(missing.errors == "Error: There is no file \"missing.json\".\n")
        let directory = try await shop.run("--data", "/")
        #expect(directory.exitCode == 1)
        #expect(directory.errors == "Error: The file \"/\" cannot be read.\n")
        #expect(!FileManager.default.fileExists(atPath: shop.directory.file("shop.sqlite")))
    }

    @Test(arguments: [
        ("\"PlaylistTrack\"", "\"Links\"", "its content lacks PlaylistTrack."),
        ("\"GenreId\": 2", "\"Id\": 2", "Genre, record 2 lacks GenreId."),
        ("\"Rock\"", "null", "Genre, record 1, Name is of another kind than expected."),
        ("61000", "\"long\"", "Track, record 1, Milliseconds is of another kind than expected."),
        (
            "2021-01-01T", "2021-31-01T",
            "Invoice, record 1, InvoiceDate is not a date such as 2021-12-31T00:00:00."
        ),
        ("\"Genre\": [", "\"Genre\": ", "The given data was not valid JSON."),
    ])
    func `a damaged file is refused with the place of the damage before a store is made`(
        _ text: String, _ damage: String, _ sentence: String
    ) async throws {
        let shop = try ShopRun()
        let outcome = try await shop(ShopSample.text.replacing(text, with: damage))
        #expect(outcome.exitCode == 1)
        #expect(
            outcome.errors == "Error: The file \"shop.json\" cannot be used: \(sentence)\n")
        #expect(outcome.output == "")
        #expect(!FileManager.default.fileExists(atPath: shop.directory.file("shop.sqlite")))
    }

    @Test(arguments: [
        ("\"Title\": \"First\", \"ArtistId\": 1", "\"Title\": \"First\", \"ArtistId\": 7", "album"),
        ("\"ArtistId\": 2", "\"ArtistId\": 1", "Artist"),
        ("\"ArtistId\": 2", "\"ArtistId\": 0", "Artist"),
        ("\"Jazz\"", "\"Rock\"", "genre"),
        (
            "{\"PlaylistId\": 1, \"TrackId\": 1}", "{\"PlaylistId\": 1, \"TrackId\": 7}",
            "playlistTrack"
        ),
    ])
    func `a file that breaks a rule of the model is named and stores nothing`(
        _ text: String, _ damage: String, _ subject: String
    ) async throws {
        let shop = try ShopRun()
        let outcome = try await shop(ShopSample.text.replacing(text, with: damage))
        #expect(outcome.exitCode == 1)
        #expect(outcome.errors.hasPrefix("Error: "))
        #expect(outcome.errors.contains(subject))
        #expect(outcome.output == "")
        #expect(try shop.content().values.allSatisfy(\.isEmpty))
        #expect(try await shop(ShopSample.text).output.hasPrefix(ShopSample.summary))
    }

    @Test(arguments: ["nothing", "0", "1000"])
    func `a question that is not there is named`(_ question: String) async throws {
        let outcome = try await ShopRun().run(question)
        #expect(outcome.exitCode == 64)
        #expect(outcome.errors.hasPrefix("Error: There is no question \(question)."))
    }

    @Test func `help lists the options`() async throws {
        let help = try await ShopRun().run("--help")
        #expect(help.exitCode == 0)
        for option in ["--store", "--data", "--list", "--costs", "--tabs"] {
            #expect(help.output.contains("  \(option) "))
        }
    }
}
#endif
