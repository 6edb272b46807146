"""Drives Chromium over its DevTools protocol, through a pipe, with Python's standard library alone."""

import base64
import fcntl
import json
import os
import queue
import shutil
import subprocess
import tempfile
import threading

# How long a condition may take to hold, so that a test fails that waits for one which never does.
PATIENCE = 300


class Browser:
    """A process of its own, with a profile of its own."""

    def __init__(self, program):
        self._profile = tempfile.mkdtemp(prefix="live-board-")
        # The browser reads from descriptor 3 and writes to 4.
        ours, theirs = zip(*(map(_above_the_fixed, ends) for ends in (_to_child(), _from_child())))
        self._commands, self._answers = ours
        self._process = subprocess.Popen(
            [program, "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--no-first-run",
             "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking",
             "--disable-component-update", "--disable-sync", "--mute-audio",
             "--password-store=basic", f"--user-data-dir={self._profile}", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            preexec_fn=lambda: [os.dup2(end, 3 + place) for place, end in enumerate(theirs)],
            pass_fds=(3, 4))
        for end in theirs:
            os.close(end)
        self._lock = threading.Lock()
        self._last = 0
        self._waiting = {}
        self._pages = {}
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        rest = b""
        while True:
            block = os.read(self._answers, 1 << 16)
            if not block:
                break
            *messages, rest = (rest + block).split(b"\0")
            for message in map(json.loads, messages):
                if "id" in message:
                    self._waiting.pop(message["id"]).put(message)
                elif message.get("sessionId") in self._pages:
                    self._pages[message["sessionId"]].received(message)
        for waiting in list(self._waiting.values()):
            waiting.put({"error": {"message": "The browser has ended."}})

    def call(self, method, session=None, **parameters):
        answer = queue.Queue()
        with self._lock:
            self._last += 1
            message = {"id": self._last, "method": method, "params": parameters}
            if session:
                message["sessionId"] = session
            self._waiting[self._last] = answer
            _write(self._commands, json.dumps(message).encode() + b"\0")
        found = answer.get(timeout=2 * PATIENCE)
        if "error" in found:
            raise AssertionError(f"{method}: {found['error']['message']}")
        return found["result"]

    def open(self, url):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = self._pages[session] = Page(self, session)
        for domain in ("Page", "Runtime", "Log", "Network"):
            page.call(f"{domain}.enable")
        # A page in the background would be slowed down.
        page.call("Emulation.setFocusEmulationEnabled", enabled=True)
        page.go(url)
        return page

    def close(self):
        self._process.kill()
        self._process.wait()
        os.close(self._commands)
        shutil.rmtree(self._profile, ignore_errors=True)


class Page:
    """A page, as a person uses it and sees it."""

    def __init__(self, browser, session):
        self._browser, self._session = browser, session
        # What was thrown and not caught, and what the page's own policy has refused.
        self.problems = []
        # The documents that have replaced another one.
        self._documents = queue.Queue()

    def call(self, method, **parameters):
        return self._browser.call(method, self._session, **parameters)

    def received(self, message):
        details = message["params"]
        if message["method"] == "Page.javascriptDialogOpening":
            # Another thread, since this one has to read the answer.
            threading.Thread(target=lambda: self.call(
                "Page.handleJavaScriptDialog", accept=True), daemon=True).start()
        if message["method"] == "Page.frameNavigated":
            self._documents.put(details["frame"]["url"])
        elif message["method"] == "Runtime.exceptionThrown":
            self.problems.append(json.dumps(details["exceptionDetails"])[:1000])
        elif message["method"] == "Log.entryAdded" and details["entry"]["source"] != "network":
            if details["entry"]["level"] == "error":
                self.problems.append(details["entry"]["text"])

    def go(self, url):
        self.call("Page.navigate", url=url)

    def reload(self):
        """Loads the page again, and returns when its new document is there."""
        while not self._documents.empty():
            self._documents.get()
        self.call("Page.reload")
        self._documents.get(timeout=PATIENCE)

    def value(self, expression):
        """The value of an expression, or what it is a promise of."""
        found = self.call(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in found:
            raise AssertionError(f"{expression}: {json.dumps(found['exceptionDetails'])[:1000]}")
        return found["result"].get("value")

    def wait(self, expression):
        """Waits until an expression is true."""
        found = self.value(f"""new Promise((resolve) => {{
            const end = performance.now() + {PATIENCE * 1000};
            const look = () => {{
                const found = (() => {{ try {{ return {expression}; }} catch {{ return false; }} }})();
                if (found || performance.now() > end) resolve(!!found);
                else setTimeout(look, 10);
            }};
            look();
        }})""")
        if not found:
            text = self.value("document.body.innerText")
            raise AssertionError(f"After {PATIENCE} seconds still not: {expression}\n{text}")

    def type(self, text):
        self.call("Input.insertText", text=text)

    def press(self, key, shift=False):
        codes = {"Enter": 13, "Tab": 9, "Escape": 27, "Delete": 46, "ArrowLeft": 37, "ArrowUp": 38,
                 "ArrowRight": 39, "ArrowDown": 40, "End": 35, "a": 65}
        event = {"key": key, "code": key, "windowsVirtualKeyCode": codes[key],
                 "modifiers": 8 if shift else 0}
        text = {"text": "\r"} if key == "Enter" else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", **event, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", **event)

    def mouse(self, kind, x, y, pressed=True):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1,
                  buttons=1 if pressed and kind != "mouseReleased" else 0)

    def touch(self, kind, *points):
        """An event with all fingers that touch the screen then: one that is missing was lifted."""
        self.call("Input.dispatchTouchEvent", type=kind, touchPoints=[
            {"x": x, "y": y, "id": finger} for finger, (x, y) in enumerate(points)])

    def click(self, selector):
        x, y = self.center(selector)
        self.mouse("mousePressed", x, y)
        self.mouse("mouseReleased", x, y)

    def center(self, selector):
        """The middle of an element, which is made visible, when nothing moves any more."""
        self.wait("document.getAnimations().every((each) => each.playState !== 'running')")
        return self.value(f"""(() => {{
            const element = document.querySelector({json.dumps(selector)});
            element.scrollIntoView({{ block: "center" }});
            const {{ left, top, width, height }} = element.getBoundingClientRect();
            return [left + width / 2, top + height / 2];
        }})()""")

    def size(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)

    def become_a_phone(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=True)
        self.call("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=5)

    def scheme(self, name):
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": name},
            {"name": "prefers-reduced-motion", "value": "reduce"}])

    def picture(self, path):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))


def _to_child():
    theirs, ours = os.pipe()
    return ours, theirs


def _from_child():
    return os.pipe()


def _above_the_fixed(end):
    """The same end with a number above those that the browser uses."""
    moved = fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10)
    os.close(end)
    return moved


def _write(end, data):
    while data:
        data = data[os.write(end, data):]
