"""Looks at the site in a real Chromium: check.py [--quick]

Every page (with --quick: the ones with the widest content) asks for nothing outside of the site, complains of nothing,
shows its pictures, fits a phone of 375 pixels, and is legible in light and dark. The search finds a word.
Chromium is driven by its DevTools protocol (https://chromedevtools.github.io/devtools-protocol/) over a pipe.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

SITE = pathlib.Path(__file__).resolve().parents[1] / "target/site"
QUICK = ["index", "docs/guide/s3", "docs/guide/drain", "docs/reference/cli", "docs/reference/config", "docs/compare",
         "docs/threat-model", "docs/architecture", "docs/recipes/postgresql", "docs/lab/example/README", "bench/README"]
PHONE, DESK = 375, 1280
SEARCHED, FOUND = "logrotate", "docs/recipes/logrotate.html"
PATIENCE_SECONDS = 60
MIN_CONTRAST = 4.5  # https://www.w3.org/TR/WCAG22/#contrast-minimum

STATE = """(() => {
  const channels = c => (c.match(/[\\d.]+/g) || []).map(Number);
  const luminance = c => channels(c).slice(0, 3).map(v => v / 255)
    .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = e => { for (; e; e = e.parentElement) {
    const c = getComputedStyle(e).backgroundColor; if ((channels(c)[3] ?? 1) > 0.99) return c; } return 'rgb(255,255,255)'; };
  const contrast = e => { const [a, b] = [luminance(getComputedStyle(e).color), luminance(behind(e))];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05); };
  const texts = [...document.querySelectorAll('article p, article td, article li, article a, article h1, article code')];
  return { wide: document.documentElement.scrollWidth - innerWidth,
    background: getComputedStyle(document.body).backgroundColor,
    pale: texts.filter(e => e.textContent.trim() && contrast(e) < %s)
      .map(e => e.tagName + ' ' + contrast(e).toFixed(1) + ' ' + e.textContent.trim().slice(0, 40)).slice(0, 3),
    broken: [...document.images].filter(i => i.getBoundingClientRect().width > 0 && !i.naturalWidth).map(i => i.src) };
})()""" % MIN_CONTRAST


class Chromium:
    """A browser without a window."""

    def __init__(self, program, profile):
        to_read, self.to = os.pipe()
        self.source, from_write = os.pipe()

        def descriptors():  # The protocol is at the descriptors 3 and 4.
            import fcntl
            reading, writing = fcntl.fcntl(to_read, fcntl.F_DUPFD, 10), fcntl.fcntl(from_write, fcntl.F_DUPFD, 10)
            os.dup2(reading, 3)
            os.dup2(writing, 4)

        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--remote-debugging-pipe", "--user-data-dir=" + profile],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            close_fds=False, preexec_fn=descriptors, env={**os.environ, "TMPDIR": profile})
        os.close(to_read)
        os.close(from_write)
        self.rest, self.sent, self.session, self.events = b"", 0, None, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def next(self):
        while b"\0" not in self.rest:
            more = os.read(self.source, 1 << 16)
            if not more:
                raise SystemExit("Chromium has ended")
            self.rest += more
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self.sent += 1
        message = {"id": self.sent, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.next()
            if answer.get("id") == self.sent:
                if "error" in answer:
                    raise SystemExit(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def load(self, url):
        self.events = []
        self.call("Page.navigate", url=url)
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self.next())

    def value(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in answer:
            raise SystemExit(str(answer["exceptionDetails"]))
        return answer["result"].get("value")

    def show(self, width, scheme):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=1,
                  mobile=width < 500)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def complaints(self):
        found = []
        for event in self.events:
            method, parameters = event.get("method"), event.get("params", {})
            if method == "Network.requestWillBeSent":
                url = parameters["request"]["url"]
                if not url.startswith(("data:", SITE.as_uri())):
                    found.append("asks for " + url)
            elif method in ("Log.entryAdded", "Runtime.exceptionThrown"):
                found.append(json.dumps(parameters)[:300])
            elif method == "Network.loadingFailed":
                found.append("not there: " + json.dumps(parameters)[:300])
        return found


def look(chromium, page):
    url, wrong = page.as_uri(), []
    chromium.show(PHONE, "light")
    chromium.load(url)
    wrong += chromium.complaints()
    light = chromium.value(STATE)
    chromium.show(DESK, "dark")
    dark = chromium.value(STATE)
    if light["wide"] > 0:
        wrong.append(f"is {light['wide']} pixels wider than {PHONE}")
    if dark["wide"] > 0:
        wrong.append(f"is {dark['wide']} pixels wider than {DESK}")
    if light["background"] == dark["background"]:
        wrong.append("is not dark in the dark")
    wrong += [f"has text that is too pale ({scheme}): {text}"
              for scheme, state in (("light", light), ("dark", dark)) for text in state["pale"]]
    wrong += ["does not show " + source for source in light["broken"]]
    return wrong


def search(chromium):
    chromium.show(PHONE, "light")
    chromium.load((SITE / "search.html").as_uri() + "?q=" + SEARCHED)
    until = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < until:
        links = chromium.value("[...document.querySelectorAll('#search-results li a')].map(a => a.href)")
        if any(FOUND in link for link in links):
            return chromium.complaints()
        time.sleep(0.1)
    return [f"does not find {SEARCHED} in {FOUND}, but {links}"]


def main():
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if program is None:
        raise SystemExit("needs Chromium (Debian: apt-get install chromium)")
    pages = [SITE / (name + ".html") for name in QUICK]
    if "--quick" not in sys.argv:
        made_elsewhere = (SITE / "javadoc", SITE / "files", SITE / "docs/lab/example/report.html")
        pages = sorted(page for page in SITE.rglob("*.html")
                       if not any(page.is_relative_to(other) for other in made_elsewhere))
    failures = 0
    with tempfile.TemporaryDirectory() as profile:
        chromium = Chromium(program, profile)
        try:
            for page in pages:
                for wrong in look(chromium, page):
                    failures += 1
                    print(f"{page.relative_to(SITE)} {wrong}", file=sys.stderr)
            for wrong in search(chromium):
                failures += 1
                print("the search " + wrong, file=sys.stderr)
        finally:
            chromium.process.kill()
            chromium.process.wait()
            time.sleep(0.5)  # Its children still write to the profile.
    print(f"looked at {len(pages)} pages, {failures} faults", file=sys.stderr)
    return 1 if failures else 0


sys.exit(main())
