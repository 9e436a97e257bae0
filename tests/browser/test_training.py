"""Training: figures first, curves with named axes, live while it runs. covers SV22"""

import json
import math

import pytest

import boxes
import synthetic
import views


class Runs:
    """What the server says about its runs; to be changed while a test looks."""

    def __init__(self, page, **runs):
        self.runs = {name.replace("_", "-"): run for name, run in runs.items()}
        page.route("**/v1/runs", self.list)
        page.route("**/v1/runs/*/metrics*", self.metrics)

    def list(self, route):
        entries = [{"id": name, "finished": False, **{key: value for key, value in run.items() if key != "lines"}, "lines": len(run["lines"])}
                   for name, run in self.runs.items()]
        route.fulfill(status=200, content_type="application/json", body=json.dumps({"schema": 1, "runs": entries}))

    def metrics(self, route):
        name, since = route.request.url.split("/runs/")[1].split("/")[0], int(route.request.url.split("since=")[1])
        lines = self.runs[name]["lines"]
        route.fulfill(status=200, content_type="application/json", body=json.dumps({"schema": 1, "lines": lines[since:], "next": len(lines)}))


def run(state="finished", lines=None, **more):
    return {"state": state, "lines": synthetic.metrics() if lines is None else lines, **more}


def figures(page):
    names, values = views.texts(page, ".run-figures dt"), views.texts(page, ".run-figures dd:not(.against)")
    return dict(zip(names, values))


def test_three_figures_come_first(visit):
    Runs(visit.page, r=run())
    page = visit.open("#view=training")
    views.check_training(page)
    best = max(line["bleu"] for line in synthetic.metrics() if "bleu" in line)
    valid = [line["loss"] for line in synthetic.metrics() if line["type"] == "valid"]
    assert figures(page) == {"best BLEU": f"{best:.1f}", "last validation loss": f"{valid[-1]:.2f}", "last step": "1,800"}
    assert page.inner_text("[role=status]") == "Finished: 1,800 steps, 3.53 M tokens read."
    visit.assert_quiet()


def test_axes_are_named_and_lines_at_their_end(visit):
    Runs(visit.page, r=run())
    page = visit.open("#view=training")
    page.wait_for_selector(".curves .curve")
    assert [views.texts(page, f".curves >> nth={i} >> .axis-name") for i in (0, 1)] == [["step", "BLEU"], ["step", "loss per token"]]
    assert views.texts(page, ".curves >> nth=1 >> .curve-name") == ["training", "validation"]
    ends = page.locator(".curves").nth(1).evaluate("svg => [...svg.querySelectorAll('.curve-name')].map(each => each.getBoundingClientRect().left)")
    lines = page.locator(".curves").nth(1).evaluate("svg => [...svg.querySelectorAll('.curve')].map(each => each.getBoundingClientRect().right)")
    assert all(name >= line for name, line in zip(ends, lines))
    measured = sum(line["type"] == "valid" for line in synthetic.metrics())
    assert page.locator(".curves >> nth=0").locator(".curve-dot:not(.strong)").count() == measured
    assert page.locator(".curves >> nth=1").locator(".curve-dot").count() == measured
    assert page.locator(".curve-mark.strong").text_content().endswith(" best")


@pytest.mark.parametrize("visit", [{"viewport": {"width": width, "height": 900}} for width in (1440, 760, 390)], indirect=True, ids=["1440", "760", "390"])
def test_few_steps_are_marked_by_whole_numbers(visit):
    lines = [{"type": "train", "step": step, "epoch": 0, "loss": 6 - step, "perplexity": 9.0, "learning_rate": 1e-4, "grad_norm": 1.0, "tokens": 100 * step}
             for step in (1, 2, 3)]
    Runs(visit.page, r=run(lines=lines))
    page = visit.open("#view=training")
    page.wait_for_selector(".curves .curve")
    frame = "svg => [...svg.querySelectorAll('.axis-text')].filter(each => each.getAttribute('text-anchor') === 'middle').map(each => each.textContent)"
    marked = page.locator(".curves:visible").first.evaluate(frame)
    assert len({"0", "1", "2", "3"} & {*marked}) >= 2 and not [text for text in marked if "." in text], marked


def test_texts_do_not_meet(visit):
    Runs(visit.page, first_run=run(), second_run=run(lines=synthetic.metrics()[:12]))
    page = visit.open("#view=training&run=first-run&versus=second-run")
    page.wait_for_selector(".curves .curve")
    page.click("text=Learning rate and gradient norm")
    page.wait_for_function("document.querySelectorAll('.curves .curve').length >= 8")
    assert boxes.overlaps(page, ".curves") == [] and boxes.outside(page, ".curves") == [] and boxes.overlaps(page, ".run-figures") == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_rest_is_folded(visit):
    Runs(visit.page, r=run())
    page = visit.open("#view=training")
    page.wait_for_selector(".curves .curve")
    assert page.locator("text=Logarithmic").is_hidden() and page.locator(".curves:visible").count() == 2
    page.click("text=Learning rate and gradient norm")
    page.wait_for_function("document.querySelectorAll('.curves .curve').length === 5")
    page.click("text=Options")
    ticks = lambda: page.locator(".curves").nth(1).evaluate("svg => [...svg.querySelectorAll('.axis-text[text-anchor=end]')].map(each => each.textContent)")
    before = ticks()
    page.click("text=Logarithmic")
    assert "log=1" in page.url and ticks() != before and page.locator("text=Logarithmic").is_visible()


STATES = [("running", {"total_steps": 5850}, "Running, step 1,800 of 5,850."), ("running", {}, "Running, step 1,800."),
          ("running", {"total_steps": None}, "Running, step 1,800."),
          ("stopped", {}, "Stopped at step 1,800."), ("diverged", {}, "Diverged at step 1,800"), ("failed", {}, "Failed at step 1,800"),
          ("unknown", {}, "State unknown: the folder has no state.json")]


@pytest.mark.parametrize("state, more, said", STATES, ids=[" ".join([state, *more]) for state, more, _ in STATES])
def test_a_run_says_how_it_stands(visit, state, more, said):
    Runs(visit.page, r=run(state, **more))
    page = visit.open("#view=training")
    page.wait_for_selector(f"[role=status] >> text={said}")


def test_it_grows_while_it_runs_and_the_page_stays_where_it_is(visit):
    visit.page.set_viewport_size({"width": 1360, "height": 500})
    lines = synthetic.metrics()
    runs = Runs(visit.page, r=run("running", lines[:9]))
    page = visit.open("#view=training")
    page.wait_for_selector("[role=status] >> text=Running, step 800.")
    page.evaluate("scrollTo(0, 300)")
    drawn = page.locator(".curves").nth(1).evaluate("svg => { const d = svg.querySelector('.curve').getAttribute('d'); return d.split('L').length; }")
    runs.runs["r"]["lines"] = lines
    page.wait_for_selector("[role=status] >> text=Running, step 1,800.", state="attached")
    assert page.evaluate("scrollY") == 300
    assert page.locator(".curves").nth(1).evaluate("svg => svg.querySelector('.curve').getAttribute('d').split('L').length") > drawn
    runs.runs["r"]["state"] = "finished"
    page.wait_for_selector("[role=status] >> text=Finished: 1,800 steps", state="attached")


def test_a_run_that_began_again_is_drawn_from_its_start(visit):
    runs = Runs(visit.page, r=run("running"))
    page = visit.open("#view=training")
    page.wait_for_selector("text=Running, step 1,800.")
    runs.runs["r"]["lines"] = synthetic.metrics()[:3]
    page.wait_for_selector("text=Running, step 300.")
    assert "1,800" not in page.inner_text("main")


def loss_words(page):
    page.wait_for_selector(".curves .curve")
    return page.locator(".figure .summary").nth(1).inner_text()


def test_it_says_why_training_loss_is_above_only_if_it_is(visit):
    lines = synthetic.metrics()
    runs = Runs(visit.page, r=run(lines=lines))
    page = visit.open("#view=training")
    said = loss_words(page)
    assert "above validation loss" in said and "label smoothing (+1.00 here) applies in training only" in said and "dropout" not in said
    plain = [line | ({"perplexity": math.exp(line["loss"])} if line["type"] == "train" else {}) for line in lines]
    runs.runs = {"en-fr": run(lines=plain)}  # not smoothed, and by the served model
    page.reload()
    assert "above validation loss" in loss_words(page) and "label smoothing" not in loss_words(page)
    runs.runs = {"r": run(lines=[line | ({"loss": line["loss"] + 3} if line["type"] == "valid" else {}) for line in lines])}
    page.reload()
    assert "below validation loss" in loss_words(page) and "training only" not in loss_words(page)


def test_dropout_of_the_model_is_named(visit):
    model = synthetic.model()
    model["models"][0]["spec"]["dropout"] = 0.3
    visit.page.route("**/v1/model", lambda route: route.fulfill(status=200, content_type="application/json", body=json.dumps(model)))
    Runs(visit.page, en_fr=run())
    page = visit.open("#view=training")
    assert "label smoothing (+1.00 here) and dropout (0.3) apply in training only" in loss_words(page)


def test_of_several_runs_two_at_most_are_drawn(visit):
    Runs(visit.page, one=run(), en_fr=run(lines=synthetic.metrics()[:12]), two=run("stopped"))
    page = visit.open("#view=training")
    page.wait_for_selector(".curves .curve")
    assert page.input_value("[aria-label=Run]") == "en-fr"  # the model's own
    assert page.locator(".curves >> nth=0").locator(".curve").count() == 1
    page.select_option("[aria-label='Compare with']", "two")
    assert page.locator(".curves >> nth=0").locator(".curve").count() == 2 and page.locator(".curves >> nth=1").locator(".curve").count() == 4
    assert "two: Stopped at step 1,800." in page.inner_text("[role=status]") and "versus=two" in page.url
    assert all(text.startswith("two ") for text in views.texts(page, ".run-figures .against"))
    page.select_option("[aria-label=Run]", "two")
    assert page.locator(".curves >> nth=0").locator(".curve").count() == 1  # not with itself


def test_without_runs_it_says_what_to_do(visit):
    Runs(visit.page)
    page = visit.open("#view=training")
    page.wait_for_selector("text=No training to show")
    assert "regard serve FOLDER" in page.inner_text("[role=status]") and page.locator(".curves:visible").count() == 0


def test_a_run_without_bleu_says_so(visit):
    Runs(visit.page, r=run(lines=[{key: value for key, value in line.items() if key != "bleu"} for line in synthetic.metrics()]))
    page = visit.open("#view=training")
    page.wait_for_selector("text=BLEU was not measured")
    assert "best BLEU" not in figures(page) and "nothing yet" not in page.inner_text("main")


def test_a_run_of_nothing_yet_waits(visit):
    runs = Runs(visit.page, r=run("running", []))
    page = visit.open("#view=training")
    page.wait_for_selector("text=Running, nothing measured yet.")
    runs.runs["r"]["lines"] = synthetic.metrics()[:1]
    page.wait_for_selector("text=Running, step 100.")
    assert visit.complaints == []


def test_values_are_read_by_keyboard_and_pointer(visit):
    Runs(visit.page, r=run())
    page = visit.open("#view=training")
    page.wait_for_selector(".curves .curve")
    page.locator(".curves").first.focus()
    page.keyboard.press("ArrowRight")
    assert page.inner_text("#spoken").startswith("step 400:") and "BLEU" in page.inner_text("#spoken")
    page.keyboard.press("End")
    assert page.inner_text("#spoken").startswith("step 1,600:")
    box = page.locator(".curves").nth(1).bounding_box()
    page.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 100)
    assert "training" in page.locator(".curves-box .readout").nth(1).inner_text()


def test_axe_finds_nothing_serious_with_all_unfolded(visit):
    Runs(visit.page, one=run(), two=run())
    page = visit.open("#view=training&run=one&versus=two")
    page.wait_for_selector(".curves .curve")
    page.click("text=Learning rate and gradient norm")
    page.click("text=Options")
    assert views.serious(page) == []
