"""Drives the page of `dhyan serve` in Debian's Chromium along its main path: translate, map, one step, edit a weight,
compare, caption. The models are trained for seconds: what they say does not matter here, only that it is shown.

usage: page_test.py DHYAN
       page_test.py --static FOLDER   the page without a server (script/web-static), from the disk and from a web server
"""

import contextlib
import functools
import http.server
import json
import pathlib
import subprocess
import sys
import tempfile
import threading
import unittest
from urllib.parse import quote

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

GIVEN = pathlib.Path(sys.argv.pop()).absolute()
STATIC = "--static" in sys.argv
if STATIC:
    sys.argv.remove("--static")
SENTENCE = "मैं खाना खा रहा हूँ"
TRAININGS = {
    "rnnsearch": ["--preset", "rnnsearch", "--hidden", "64", "--embedding", "48", "--max-epochs", "2"],
    "seq2seq": ["--preset", "seq2seq", "--hidden", "48", "--embedding", "48", "--max-epochs", "1"],
    "captions": ["--preset", "caption-tiny", "--scenes", "1000", "--max-epochs", "1", "--total-steps", "200"],
}
TRAININGS["captions-hi"] = [*TRAININGS["captions"], "--picturebook", "hi"]
TRANSLATION = "I am eating food"
SHOWN_WORDS = """
return [...document.querySelectorAll(".composer .word")].map((word) => word.firstChild.textContent).join(" ");
"""
# The longest time in which the page does nothing for the reader, in two seconds.
LONGEST_PAUSE = """
const told = arguments[0], begin = performance.now();
let before = begin, longest = 0;
const tick = () => {
  const now = performance.now();
  longest = Math.max(longest, now - before);
  before = now;
  now - begin > 2000 ? told(longest) : setTimeout(tick, 5);
};
tick();
"""
# Keeps in window.saved, as a text of bytes, what the page would save as a file.
KEEP_SAVED = """
window.saved = null;
const addressOf = URL.createObjectURL, blobs = new Map();
URL.createObjectURL = (blob) => {
  const address = addressOf.call(URL, blob);
  blobs.set(address, blob);
  return address;
};
HTMLAnchorElement.prototype.click = async function () {
  const bytes = new Uint8Array(await blobs.get(this.href).arrayBuffer());
  window.saved = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
};
"""
CHROMIUM_FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--lang=en",
    "--window-size=1280,720",
]


def train(folder: pathlib.Path) -> None:
    for name, options in TRAININGS.items():
        command = [GIVEN, "train", *options, "--output", folder / name]
        finished = subprocess.run(command, capture_output=True, text=True)
        if finished.returncode != 0:
            raise RuntimeError(f"{name}: {finished.stderr}")


@contextlib.contextmanager
def server(folder: pathlib.Path):
    """The address of a running server."""
    models = [option for name in TRAININGS for option in ("-m", f"{name}={folder / name}")]
    process = subprocess.Popen([GIVEN, "serve", "--port", "0", *models], stderr=subprocess.PIPE, text=True)
    try:
        address = None
        for line in process.stderr:
            if "listening on " in line:
                address = line.split("listening on ")[1].strip()
            if "ready" in line:
                break
        yield address
    finally:
        process.terminate()
        process.communicate(timeout=30)


class QuietFiles(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@contextlib.contextmanager
def files(folder: pathlib.Path):
    """The address of a web server that knows nothing but files, as python3 -m http.server."""
    handler = functools.partial(QuietFiles, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()


@contextlib.contextmanager
def browser():
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        for flag in [*CHROMIUM_FLAGS, f"--user-data-dir={profile}"]:
            options.add_argument(flag)
        driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        try:
            yield driver
        finally:
            driver.quit()


class AnyPage:
    """What holds of the page wherever it comes from: a base of test cases, which give its address."""

    @classmethod
    def setUpClass(cls):
        cls.address = cls.page_address()
        cls.driver = cls.enterClassContext(browser())

    def tearDown(self):
        self.assertEqual(self.driver.get_log("browser"), [], "the console has errors")

    def open(self, view: str, **state: str) -> None:
        state = {"ui": "en", "view": view, "model": "rnnsearch", "q": SENTENCE, **state}
        self.driver.get("about:blank")
        self.driver.get(self.address + "#" + "&".join(f"{name}={quote(value)}" for name, value in state.items()))

    def all(self, selector: str):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def until(self, holds):
        """What `holds` returns, once it is something."""
        return WebDriverWait(self.driver, 60).until(lambda _: holds())

    def shown(self, selector: str):
        return self.until(lambda: next((found for found in self.all(selector) if found.is_displayed()), None))

    def test_a_sentence_is_translated_and_its_map_has_rows_that_sum_to_1(self):
        self.open("map")
        words = self.until(lambda: self.all(".composer .word"))
        headings = [heading.text for heading in self.all("[role=grid] thead th")]
        self.assertEqual(headings, [*SENTENCE.split(), "</s>"])
        rows = self.all("[role=grid] tbody tr")
        self.assertGreaterEqual(len(rows), len(words))
        for row in rows:
            cells = row.find_elements(By.TAG_NAME, "td")
            weights = [float(cell.get_attribute("aria-label").rsplit(", ", 1)[1]) for cell in cells]
            self.assertAlmostEqual(sum(weights), 1, delta=0.005 * len(weights))

    def test_typing_translates_again(self):
        self.open("map")
        self.shown("[role=grid]")
        field = self.shown("textarea")
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys("मीरा")
        self.until(lambda: len(self.all("[role=grid] thead th")) == 2)
        self.assertIn(quote("मीरा"), self.driver.current_url)

    def test_one_step_shows_the_energies_of_the_server(self):
        self.open("step", step="2")
        sum_of_weights = self.shown("table.numbers tfoot td:last-child")
        self.assertEqual(sum_of_weights.text, "1.0000")
        self.assertEqual(len(self.all("table.numbers tbody tr")), len(SENTENCE.split()) + 1)

    def test_an_edited_weight_is_decoded_and_undone(self):
        self.open("work", step="1")
        before = self.shown(".outcome .translation").text
        self.until(lambda: self.all("table.work tbody button"))[1].click()
        self.until(lambda: "Rows edited: 1" in self.shown(".outcome").text)
        weights = self.all("table.work input[type=range]")
        self.until(lambda: [round(float(weight.get_attribute("value")), 2) for weight in weights] == [0, 1, 0, 0, 0, 0])
        self.driver.find_element(By.XPATH, "//button[text()='Undo']").click()
        self.until(lambda: self.shown(".outcome .translation").text == before)

    def test_two_models_stand_side_by_side(self):
        self.open("compare")
        Select(self.shown(".view select")).select_by_visible_text("seq2seq")
        self.assertTrue(self.until(lambda: self.all(".vector-cells span")))
        self.assertEqual(len(self.all("[role=grid]")), 1)

    def test_the_page_asks_nobody_else(self):
        self.open("map")
        self.shown("[role=grid]")
        names = self.driver.execute_script("return JSON.stringify(performance.getEntriesByType('resource').map(e => e.name))")
        for name in json.loads(names):
            self.assertTrue(name.startswith(self.address.rsplit("/", 1)[0]), name)


@unittest.skipIf(STATIC, "there is no server")
class Page(AnyPage, unittest.TestCase):
    @classmethod
    def page_address(cls) -> str:
        folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        train(folder)
        return cls.enterClassContext(server(folder)) + "/"

    def test_a_scene_is_captioned_and_each_word_has_its_map(self):
        self.open("pictures", scene="circle,red,large,20,30")
        self.shown(".caption-words button").click()
        self.assertEqual(len(self.until(lambda: self.all(".overlay span"))), 64)
        picture = self.shown(".picture-frame img")
        self.until(lambda: self.driver.execute_script("return arguments[0].naturalWidth", picture) == 64)

    def test_captions_are_in_the_language_of_their_model(self):
        self.open("pictures", captioner="captions-hi", scene="circle,red,large,20,30")
        self.shown(".caption-words button")
        self.assertEqual(self.shown(".caption-words").get_attribute("lang"), "hi")
        chosen = Select(self.shown(".view select")).first_selected_option
        self.assertEqual(chosen.text, "Hindi")


class StaticPage(AnyPage):
    """What holds of the page without a server beyond that."""

    def test_the_translation_is_right(self):
        self.open("map")
        self.until(lambda: self.driver.execute_script(SHOWN_WORDS) == TRANSLATION)

    def test_a_mistake_is_said_in_words(self):
        self.open("map", q="खाना " * 4000)
        self.assertIn("exceeds text limit", self.shown("[role=alert]").text)

    def test_the_page_is_responsive_while_the_engine_works(self):
        self.open("map", q="मैं खाना खा रहा हूँ। " * 100, beam="32")
        longest = self.driver.execute_async_script(LONGEST_PAUSE)
        self.assertLess(longest, 200)

    def test_pictures_are_saved(self):
        self.open("map")
        self.shown("[role=grid]")
        self.shown("details.export summary").click()
        for name, first in [("SVG", "<?xml"), ("PNG", "\x89PNG"), ("CSV", "")]:
            self.driver.execute_script(KEEP_SAVED)
            self.driver.find_element(By.XPATH, f"//button[text()='{name}']").click()
            saved = self.until(lambda: self.driver.execute_script("return window.saved"))
            self.assertTrue(saved.startswith(first), saved[:20])


@unittest.skipUnless(STATIC, "of script/web-static alone")
class PageOnADisk(StaticPage, unittest.TestCase):
    @classmethod
    def page_address(cls) -> str:
        return (GIVEN / "index.html").as_uri()


@unittest.skipUnless(STATIC, "of script/web-static alone")
class PageOfAnyWebServer(StaticPage, unittest.TestCase):
    @classmethod
    def page_address(cls) -> str:
        return cls.enterClassContext(files(GIVEN)) + "/"


if __name__ == "__main__":
    unittest.main()
