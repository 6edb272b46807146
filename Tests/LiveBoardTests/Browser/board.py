#!/usr/bin/env python3
"""Tests of LiveBoard in real browsers.

    board.py --server .build/debug/LiveBoard --browser /usr/bin/chromium [test …]

With --pictures DIRECTORY it draws the board light and dark, wide and narrow, and tests nothing.
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
        # A small board fits in, so that nothing scrolls.
        page.size(1280, 800)
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
        """Drags a card to the middle of an element, above what lies there; returns that place."""
        start = page.center(f"{self.mark(page, title)} .title")
        end = page.center(to)
        start = page.center(f"{MARKED} .title")
        page.mouse("mousePressed", *start)
        for part in (0.1, 0.5, 1):
            page.mouse("mouseMoved", *(a + (b - a) * part for a, b in zip(start, end)))
        page.wait("document.querySelector('.is-dragged')")
        if drop:
            page.mouse("mouseReleased", *end)
        return end

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

    def test_a_drag_goes_on_while_others_change_the_board(self):
        one, other = self.open(), self.open()
        for title in ("Tea", "Figs", "Bread"):
            self.add(one, title)
        end = self.drag(one, "Bread", "[data-stage=todo] h2", drop=False)
        one.wait("document.querySelector('[data-stage=todo] .cards').firstElementChild.matches('.gap-for-card')")
        self.add(other, "Nuts")
        one.wait("document.querySelector('#announcer').textContent.includes('“Nuts” was added to To do.')")
        one.mouse("mouseReleased", *end)
        for page in (one, other):
            page.wait(board(todo=["Bread", "Tea", "Figs", "Nuts"]))

    def test_a_finger_drags_by_the_grip_and_scrolls_elsewhere(self):
        page, other = self.open(), self.open()
        page.become_a_phone(360, 640)
        page.wait("matchMedia('(pointer: coarse)').matches && innerWidth === 360")
        for number in range(1, 9):
            self.add(page, f"Task {number}")
        todo = [f"Task {number}" for number in range(1, 9)]

        def grip(title):
            return page.center(f"{self.mark(page, title)} .grip")

        # Within a column, and past another card; a second finger changes nothing.
        x, y = grip("Task 2")
        page.touch("touchStart", (x, y))
        page.touch("touchMove", (x, y - 30))
        page.wait("document.querySelector('.is-dragged .title')?.textContent === 'Task 2'")
        scrolled = page.value("scrollY")
        third = page.value("""(() => {
            const cards = [...document.querySelectorAll(".card")];
            const { left, top } = cards[2].querySelector(".grip").getBoundingClientRect();
            return [left + 5, top + 5];
        })()""")
        page.touch("touchStart", (x, y - 30), third)
        page.touch("touchMove", (x, y - 40), (third[0], third[1] + 30))
        page.touch("touchMove", (x, y - 40))
        self.assertEqual(page.value("document.querySelectorAll('.is-dragged').length"), 1)
        page.touch("touchMove", (x, y - 200))
        page.touch("touchEnd")
        todo = ["Task 2", "Task 1", *todo[2:]]
        for each in (page, other):
            each.wait(board(todo=todo))
        self.assertEqual(page.value("scrollY"), scrolled)

        # To a column that is not visible: a finger that rests at the edge of the window scrolls.
        x, y = grip("Task 1")
        self.assertGreater(page.value(
            "document.querySelector('[data-stage=done]').getBoundingClientRect().top"), 640)
        page.touch("touchStart", (x, y))
        page.touch("touchMove", (x, 630))
        page.wait("document.querySelector('[data-stage=done] .gap-for-card')")
        page.touch("touchEnd")
        page.value("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))")
        self.assertFalse(page.value("!!document.querySelector('.gap-for-card')"))
        for each in (page, other):
            each.wait(board(todo=[title for title in todo if title != "Task 1"], done=["Task 1"]))

        # A touch that the system takes away, as for a gesture of its own, puts the card back.
        x, y = grip("Task 4")
        page.touch("touchStart", (x, y))
        page.touch("touchMove", (x, y - 200))
        page.wait("document.querySelector('.is-dragged')")
        page.touch("touchCancel")
        page.wait("!document.querySelector('.is-dragged, .gap-for-card')")

        # Elsewhere on a card the finger scrolls the page.
        page.value("scrollTo(0, 0)")
        x, y = page.center(f"{self.mark(page, 'Task 4')} .title")
        page.value("document.activeElement.blur()")
        scrolled = page.value("scrollY")
        page.touch("touchStart", (x, y))
        for way in range(10, 160, 10):
            page.touch("touchMove", (x, y - way))
        page.touch("touchEnd")
        page.wait(f"scrollY > {scrolled}")
        self.assertTrue(page.value(
            "!document.querySelector('.is-dragged') && document.activeElement === document.body"))
        page.wait(board(todo=[title for title in todo if title != "Task 1"], done=["Task 1"]))

    def test_answers_and_events_may_come_in_any_order(self):
        problems = self.open().value(ANY_ORDER)
        self.assertEqual(problems, [])

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
        # One of them is connected again when the board has changed already.
        other.call("Network.setBlockedURLs", urls=["*/cards/events"])
        self.server = Server(self.path, self.server.port)
        one.wait("document.querySelector('#connection').textContent === 'Live'")
        one.wait("document.querySelectorAll('.is-waiting').length === 0")
        other.call("Network.setBlockedURLs", urls=[])
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
        page.reload()
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


# The texts that have too little contrast with what lies behind them (WCAG 2.2, 1.4.3, which excepts
# what cannot be used).
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
        if (element.closest(":disabled")) continue;
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


# Changes of a page whose answers and events come in every order, and with events that tell of several
# changes. The page always shows the board as it will be, and in the end what another page changes.
# Returns the orders in which it did not.
ANY_ORDER = """import("/model.js").then(async ({ Outbox }) => {
    const start = [["a", "todo"], ["b", "todo"]].map(([id, stage]) => ({ id, stage, title: id }));
    const card = (id, stage, title = id) => ({ id, stage, title });
    // Each change, with the board of the server after it.
    const stories = [
        [[{ kind: "move", id: "b", stage: "todo", before: "a" }, [start[1], start[0]]],
         [{ kind: "move", id: "b", stage: "doing" }, [card("a", "todo"), card("b", "doing")]],
         [{ kind: "edit", id: "b", title: "x" }, [card("a", "todo"), card("b", "doing", "x")]]],
        [[{ kind: "add", id: "n", stage: "done", title: "n" }, [...start, card("n", "done")]],
         [{ kind: "edit", id: "n", title: "y" }, [...start, card("n", "done", "y")]],
         [{ kind: "move", id: "n", stage: "todo", before: "b" },
          [start[0], card("n", "todo", "y"), start[1]]]],
        [[{ kind: "add", id: "n", stage: "done", title: "n" }, [...start, card("n", "done")]],
         [{ kind: "delete", id: "n" }, start],
         [{ kind: "delete", id: "a" }, [start[1]]]],
    ];
    const view = (cards) => JSON.stringify(["todo", "doing", "done"].map((stage) =>
        cards.filter((each) => each.stage === stage).map(({ id, title }) => [id, title])));
    // Every way to a state in which all changes are answered and the last event has come.
    const orders = (count, answered = 0, told = 0) => {
        if (answered === count && told === count) return [[]];
        const steps = [];
        if (answered < count) steps.push(["answer", answered + 1, told]);
        // The change under way may have been made, and its event may overtake its answer.
        for (let next = told + 1; next <= Math.min(count, answered + 1); next += 1) {
            steps.push(["event", answered, next]);
        }
        return steps.flatMap((step) => orders(count, step[1], step[2]).map((rest) => [step, ...rest]));
    };
    const problems = [];
    const [realFetch, realStorage] = [window.fetch, sessionStorage.getItem("changes")];
    let count = 0;
    for (const story of stories) for (const order of orders(story.length)) {
        sessionStorage.removeItem("changes");
        let answer;
        window.fetch = () => new Promise((resolve) => { answer = resolve; });
        const outbox = new Outbox({ updated: () => {}, refused: () => {}, isLive: () => false });
        outbox.receive(start);
        for (const [change] of story) outbox.add({ ...change });
        const check = (wanted, ...when) => {
            const shown = view(outbox.shown);
            if (shown !== view(wanted)) problems.push(JSON.stringify([order, when, shown]));
        };
        const last = story.at(-1)[1];
        for (const [kind, , told] of order) {
            if (kind === "answer") answer(new Response("{}"));
            else outbox.receive(story[told - 1][1]);
            // What follows an answer runs before this does.
            await new Promise((resolve) => setTimeout(resolve));
            check(last, kind, told);
        }
        const others = last.map((each) => ({ ...each, title: "z", stage: "done" }));
        outbox.receive(others);
        check(others, "another page");
        count += 1;
    }
    window.fetch = realFetch;
    if (realStorage) sessionStorage.setItem("changes", realStorage);
    return count > 50 ? problems : [`only ${count} orders were tried`];
})"""


# What the pictures show.
TASKS = {
    "todo": ["Write the invitation, with a map of the way from the station", "Ask Ada for the long table",
             "Borrow 12 chairs"],
    "doing": ["Choose the wine", "Order bread"],
    "done": ["Reserve the garden"],
}


def draw(directory):
    """Writes the pictures of the page of examples."""
    with tempfile.TemporaryDirectory() as store:
        server = Server(os.path.join(store, "board.sqlite"))
        browser = devtools.Browser(OPTIONS.browser)
        try:
            page = browser.open(server.url)
            page.wait("document.querySelector('#connection').dataset.state === 'live'")
            for stage, tasks in TASKS.items():
                for title in tasks:
                    page.click(f"[data-stage={stage}] .adder input")
                    page.type(title)
                    page.press("Enter")
                    page.wait(f"{titles(stage)}.includes({json.dumps(title)})")
            page.wait("document.querySelectorAll('.is-waiting').length === 0")
            page.value("document.activeElement.blur()")
            for name, size in (("wide", (1000, 580)), ("narrow", (390, 780))):
                if name == "narrow":
                    page.become_a_phone(*size)
                else:
                    page.size(*size)
                page.wait(f"innerWidth === {size[0]}")
                page.value("scrollTo(0, 0)")
                for scheme in ("light", "dark"):
                    page.scheme(scheme)
                    page.wait(f"matchMedia('(prefers-color-scheme: {scheme})').matches")
                    page.picture(os.path.join(directory, f"{name}-{scheme}.png"))
        finally:
            browser.close()
            server.end()


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", required=True, help="the program LiveBoard")
    parser.add_argument("--browser", required=True, help="the program Chromium")
    parser.add_argument("--pictures", help="a directory for pictures of the board")
    parser.parse_known_args(namespace=OPTIONS)
    _, tests = parser.parse_known_args()
    if OPTIONS.pictures:
        return draw(OPTIONS.pictures)
    unittest.main(argv=[sys.argv[0], "--verbose", *tests])


if __name__ == "__main__":
    main()
