#!/usr/bin/env python3
"""Tests of LiveBoard in real browsers.

    board.py --server .build/debug/LiveBoard --browser /usr/bin/chromium [test …]

With --pictures DIRECTORY the board is also shown light and dark, wide and narrow.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True

import devtools

OPTIONS = argparse.Namespace()


class Server:
    """A process that serves the board of a file; a port of 0 is a free one."""

    def __init__(self, path, port=0):
        self._process = subprocess.Popen(
            [OPTIONS.server, "--path", path, "--port", str(port)], stdout=subprocess.PIPE, text=True)
        line = self._process.stdout.readline()
        if not line.startswith("Listening on http://127.0.0.1:"):
            raise AssertionError(f"The server did not start: {line!r}")
        self.url = line.split()[-1]
        self.port = int(self.url.rsplit(":", 1)[1])

    def stop(self):
        """Stops it as a process manager does; returns its exit code and what it said."""
        self._process.send_signal(signal.SIGTERM)
        said, _ = self._process.communicate(timeout=devtools.PATIENCE)
        return self._process.returncode, said

    def end(self):
        """Ends it at once, after a test that has not stopped it."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()


# The titles in a column, in order.
def titles(stage):
    return (f"[...document.querySelectorAll('[data-stage={stage}] .card .title')]"
            ".map((each) => each.textContent)")


def board(**expected):
    """Whether the columns hold just these titles."""
    found = "JSON.stringify([%s])" % ", ".join(map(titles, ("todo", "doing", "done")))
    wanted = json.dumps(
        [expected.get(stage, []) for stage in ("todo", "doing", "done")],
        separators=(",", ":"), ensure_ascii=False)
    return f"{found} === {json.dumps(wanted)}"


# The card that `mark` has found.
MARKED = "[data-marked]"


class BoardTests(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.path = os.path.join(directory.name, "board.sqlite")
        self.server = Server(self.path)
        self.addCleanup(lambda: self.server.end())
        self.pages = []

    def tearDown(self):
        for page in self.pages:
            self.assertEqual(page.problems, [])

    def open(self):
        """The page in a browser of its own, which is connected."""
        browser = devtools.Browser(OPTIONS.browser)
        self.addCleanup(browser.close)
        page = browser.open(self.server.url)
        self.pages.append(page)
        page.wait("document.querySelector('#connection').dataset.state === 'live'")
        page.wait("document.querySelectorAll('.adder').length === 3")
        return page

    def add(self, page, title, stage="todo"):
        page.click(f"[data-stage={stage}] .adder input")
        page.type(title)
        page.press("Enter")
        page.wait(f"{titles(stage)}.includes({json.dumps(title)})")

    def mark(self, page, title):
        """Lets a selector find the card with a title."""
        page.wait(f"""(() => {{
            delete document.querySelector("[data-marked]")?.dataset.marked;
            const found = [...document.querySelectorAll(".card")]
                .find((each) => each.querySelector(".title").textContent === {json.dumps(title)});
            if (found) found.dataset.marked = "";
            return !!found;
        }})()""")
        return MARKED

    def press_button(self, page, title, action):
        page.click(f"{self.mark(page, title)} [data-action={action}]")

    def rename(self, page, title, new):
        self.press_button(page, title, "edit")
        page.wait("document.activeElement.name === 'title'")
        page.type(new)
        page.press("Enter")

    def drag(self, page, title, to, drop=True):
        """Drags a card to the middle of an element, above what lies there."""
        start = page.center(f"{self.mark(page, title)} .title")
        end = page.center(to)
        start = page.center(f"{MARKED} .title")
        page.mouse("mousePressed", *start)
        for part in (0.1, 0.5, 1):
            page.mouse("mouseMoved", *(a + (b - a) * part for a, b in zip(start, end)))
        page.wait("document.querySelector('.is-dragged')")
        if drop:
            page.mouse("mouseReleased", *end)

    def test_two_browsers_see_what_each_other_does(self):
        one, other = self.open(), self.open()
        self.assertTrue(one.value("getComputedStyle(document.querySelector('.empty')).display !== 'none'"))
        self.add(one, "Tea")
        self.add(one, "Φίλε, <b>figs</b> & \"nuts\" 🇬🇷")
        other.wait(board(todo=["Tea", "Φίλε, <b>figs</b> & \"nuts\" 🇬🇷"]))
        self.add(other, "Bread", "doing")
        one.wait(board(todo=["Tea", "Φίλε, <b>figs</b> & \"nuts\" 🇬🇷"], doing=["Bread"]))
        self.rename(other, "Φίλε, <b>figs</b> & \"nuts\" 🇬🇷", "Figs")
        one.wait(board(todo=["Tea", "Figs"], doing=["Bread"]))
        self.drag(one, "Tea", "[data-stage=doing] .adder")
        for page in (one, other):
            page.wait(board(todo=["Figs"], doing=["Bread", "Tea"]))
        self.drag(other, "Tea", "[data-stage=doing] h2")
        for page in (one, other):
            page.wait(board(todo=["Figs"], doing=["Tea", "Bread"]))
        self.press_button(one, "Bread", "delete")
        for page in (one, other):
            page.wait(board(todo=["Figs"], doing=["Tea"]))
        one.wait("document.querySelector('#connection').textContent === 'Live'")

    def test_a_drag_that_is_given_up_changes_nothing(self):
        page = self.open()
        self.add(page, "Tea")
        self.drag(page, "Tea", "[data-stage=done] h2", drop=False)
        page.wait("document.querySelector('[data-stage=done] .gap-for-card')")
        page.press("Escape")
        page.wait("!document.querySelector('.is-dragged, .gap-for-card')")
        page.wait(board(todo=["Tea"]))
        self.assertEqual(page.value("document.activeElement.className"), "card")

    def test_the_board_outlives_a_restart_and_loses_no_change(self):
        one, other = self.open(), self.open()
        for title in ("Tea", "Figs", "Bread"):
            self.add(one, title)
        other.wait(board(todo=["Tea", "Figs", "Bread"]))
        # Both streams are open.
        self.assertEqual(self.server.stop(), (0, "Stopped; the store is closed.\n"))
        for page in (one, other):
            page.wait("document.querySelector('#connection').dataset.state === 'offline'")
        self.add(one, "Nuts", "doing")
        self.rename(one, "Tea", "Green tea")
        self.press_button(one, "Figs", "delete")
        self.press_button(other, "Bread", "right")
        one.wait(board(todo=["Green tea", "Bread"], doing=["Nuts"]))
        one.wait("document.querySelector('#connection').textContent === 'Offline, 3 changes wait'")
        one.wait("document.querySelectorAll('.is-waiting').length === 2")
        self.server = Server(self.path, self.server.port)
        for page in (one, other):
            page.wait("document.querySelector('#connection').textContent === 'Live'")
            page.wait("['Nuts', 'Bread'].every((each) => %s.includes(each))" % titles("doing"))
            page.wait("JSON.stringify(%s) === '[\"Green tea\"]'" % titles("todo"))
            page.wait("document.querySelectorAll('.is-waiting').length === 0")
        later = self.open()
        later.wait("['Nuts', 'Bread'].every((each) => %s.includes(each))" % titles("doing"))
        self.assertEqual(self.server.stop()[0], 0)

    def test_changes_that_wait_outlive_a_reload(self):
        page = self.open()
        self.add(page, "Tea")
        page.wait("document.querySelectorAll('.is-waiting').length === 0")
        page.call("Network.setBlockedURLs", urls=["*/cards/*-*"])
        self.rename(page, "Tea", "Figs")
        page.wait("document.querySelectorAll('.is-waiting').length === 1")
        # The browser asks whether to leave, and the answer is yes.
        page.call("Page.reload")
        page.wait(board(todo=["Figs"]))
        page.call("Network.setBlockedURLs", urls=[])
        page.wait("document.querySelectorAll('.card:not(.is-waiting)').length === 1")
        self.open().wait(board(todo=["Figs"]))

    def test_a_change_that_is_refused_is_shown_with_its_text(self):
        one, other = self.open(), self.open()
        self.add(one, "Tea")
        other.wait(board(todo=["Tea"]))
        other.call("Network.setBlockedURLs", urls=["*/cards/*-*"])
        self.rename(other, "Tea", "A long text that took a while to write")
        other.wait("document.querySelector('.is-waiting')")
        self.press_button(one, "Tea", "delete")
        one.wait(board())
        other.wait(board())
        other.call("Network.setBlockedURLs", urls=[])
        other.wait("document.querySelector('.notice.is-alarm')?.textContent"
                   ".includes('“A long text that took a while to write”')")
        self.assertIn("no such card", other.value("document.querySelector('#alarm').textContent"))

    def test_a_text_that_is_being_typed_outlives_the_deletion_of_its_card(self):
        one, other = self.open(), self.open()
        self.add(one, "Tea")
        other.wait(board(todo=["Tea"]))
        self.press_button(other, "Tea", "edit")
        other.wait("document.activeElement.name === 'title'")
        other.type("Green tea")
        self.press_button(one, "Tea", "delete")
        other.wait("document.querySelector('.notice.is-alarm')?.textContent.includes('“Green tea”')")
        # The focus is on the board, and not lost.
        self.assertEqual(other.value("document.activeElement.closest('.column')?.dataset.stage"), "todo")

    def test_everything_can_be_done_by_keyboard(self):
        page, other = self.open(), self.open()

        def tab_to(condition):
            for _ in range(40):
                page.press("Tab")
                focused = page.value("document.activeElement !== document.body")
                if focused:
                    # What has the focus shows it.
                    self.assertEqual(
                        page.value("getComputedStyle(document.activeElement).outlineStyle"), "solid")
                if page.value(condition):
                    return
            self.fail(f"The tab key never leads to: {condition}")

        def say(text):
            page.wait(f"document.querySelector('#announcer').textContent.includes({json.dumps(text)})")

        tab_to("document.activeElement.ariaLabel === 'New task in To do'")
        for title in ("Tea", "Figs"):
            page.type(title)
            page.press("Enter")
            say(f"“{title}” was added to To do.")
        page.value("document.activeElement.blur()")
        tab_to("document.activeElement.matches('.card') && document.activeElement.innerText.startsWith('Tea')")
        page.press("ArrowDown")
        self.assertEqual(page.value("document.activeElement.querySelector('.title').textContent"), "Figs")
        page.press("ArrowUp", shift=True)
        for each in (page, other):
            each.wait(board(todo=["Figs", "Tea"]))
        say("“Figs” is now 1 of 2 in To do.")
        page.press("ArrowRight", shift=True)
        for each in (page, other):
            each.wait(board(todo=["Tea"], doing=["Figs"]))
        say("“Figs” is now 1 of 1 in Doing.")
        other.wait("document.querySelector('#announcer').textContent.includes('“Figs” was moved to Doing.')")
        page.press("Enter")
        page.wait("document.activeElement.name === 'title'")
        page.type("Dried figs")
        page.press("Enter")
        for each in (page, other):
            each.wait(board(todo=["Tea"], doing=["Dried figs"]))
        say("“Figs” is now called “Dried figs”.")
        page.press("Enter")
        page.wait("document.activeElement.name === 'title'")
        page.type("given up")
        page.press("Escape")
        self.assertEqual(page.value("document.activeElement.querySelector('.title').textContent"), "Dried figs")
        # The buttons of the card can be reached as well.
        tab_to("document.activeElement.ariaLabel === 'Move “Dried figs” to Done'")
        page.press("Enter")
        for each in (page, other):
            each.wait(board(todo=["Tea"], done=["Dried figs"]))
        self.assertEqual(page.value("document.activeElement.closest('.card').querySelector('.title').textContent"), "Dried figs")
        page.value("document.activeElement.closest('.card').focus()")
        page.press("Delete")
        for each in (page, other):
            each.wait(board(todo=["Tea"]))
        say("“Dried figs” was deleted.")
        tab_to("document.activeElement.textContent === 'Undo'")
        page.press("Enter")
        for each in (page, other):
            each.wait(board(todo=["Tea"], done=["Dried figs"]))

    def test_texts_stand_out_and_fit_light_and_dark_wide_and_narrow(self):
        page = self.open()
        self.add(page, "Write the invitation, with the map of the way from the station")
        self.add(page, "Ask Ada for the long table")
        self.add(page, "Averyveryverylongwordwithoutanyplacewhereitcouldbebrokenintotwolines")
        self.add(page, "Order bread", "doing")
        self.press_button(page, "Order bread", "delete")
        self.add(page, "Choose the wine", "done")
        for scheme in ("light", "dark"):
            page.scheme(scheme)
            for name, size in (("wide", (1280, 800)), ("narrow", (320, 900))):
                with self.subTest(scheme=scheme, width=name):
                    page.size(*size)
                    page.wait(f"innerWidth === {size[0]}")
                    page.value("scrollTo(0, 0)")
                    self.assertEqual(page.value(WEAK_TEXTS), [])
                    self.assertLessEqual(page.value("document.documentElement.scrollWidth"), size[0])
                    self.assertEqual(page.value(CUT_TEXTS), [])
                    if OPTIONS.pictures:
                        page.picture(os.path.join(OPTIONS.pictures, f"board-{scheme}-{name}.png"))

    def test_the_policy_lets_no_foreign_script_run(self):
        page = self.open()
        self.add(page, "<img src=x onerror='window.isBroken = true'>")
        self.assertEqual(page.value("document.querySelectorAll('.card img').length"), 0)
        self.assertEqual(page.problems, [])
        page.value("""document.body.insertAdjacentHTML(
            "beforeend", "<img src='/nowhere' onerror='window.isBroken = true'>")""")
        page.value("""document.body.append(Object.assign(
            document.createElement("script"), { textContent: "window.isBroken = true" }))""")
        while len([each for each in page.problems if "Content Security Policy" in each]) < 2:
            page.value("new Promise((resolve) => setTimeout(resolve, 10))")
        self.assertIsNone(page.value("window.isBroken"))
        page.problems.clear()


# The texts that have too little contrast with what lies behind them (WCAG 2.2, 1.4.3).
WEAK_TEXTS = """(() => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 });
    const context = canvas.getContext("2d", { willReadFrequently: true });
    const bytes = (color) => {
        context.clearRect(0, 0, 1, 1);
        context.fillStyle = color;
        context.fillRect(0, 0, 1, 1);
        return [...context.getImageData(0, 0, 1, 1).data];
    };
    const luminance = (color) => {
        const [r, g, b] = color.slice(0, 3).map((each) => each / 255)
            .map((each) => (each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const behind = (element) => {
        for (let each = element; each; each = each.parentElement) {
            const color = bytes(getComputedStyle(each).backgroundColor);
            if (color[3] === 255) return color;
        }
        return [255, 255, 255, 255];
    };
    const weak = [];
    const look = (element, style, text) => {
        const [a, b] = [luminance(bytes(style.color)), luminance(behind(element))];
        const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        if (contrast < 4.5) weak.push(`${text.trim()}: ${contrast.toFixed(2)}`);
    };
    let count = 0;
    for (const element of document.querySelectorAll("body *")) {
        const style = getComputedStyle(element);
        if (!element.checkVisibility({ visibilityProperty: true })) continue;
        const own = [...element.childNodes].filter((each) => each.nodeType === 3 && each.data.trim());
        for (const text of own) { look(element, style, text.data); count += 1; }
        if (element.placeholder) look(element, getComputedStyle(element, "::placeholder"), element.placeholder);
    }
    return count > 20 ? weak : [`only ${count} texts were found`];
})()"""

# The elements whose text does not fit into them.
CUT_TEXTS = """[...document.querySelectorAll("h1, h2, .title, button, .connection, .help, .notice")]
    .filter((each) => each.checkVisibility({ visibilityProperty: true }) && each.scrollWidth > each.clientWidth + 1)
    .map((each) => each.textContent.trim())"""


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", required=True, help="the program LiveBoard")
    parser.add_argument("--browser", required=True, help="the program Chromium")
    parser.add_argument("--pictures", help="a directory for pictures of the board")
    parser.parse_known_args(namespace=OPTIONS)
    _, tests = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], "--verbose", *tests])


if __name__ == "__main__":
    main()
