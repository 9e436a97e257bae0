"""One picture for each view of the page: wide and on a telephone, in light and in dark colours."""

import base64
import struct
import zlib

import views

SIZES = {"wide": {"width": 1440, "height": 1120}, "phone": {"width": 390, "height": 1120}}
SCALE = 0.5
GAP = 10
# What the views show; the rest of the address is the page's own choice.
STATES = {"story": "stage=5&row=7", "heads": "row=2", "head": "layer=2&head=3&row=2", "query": "layer=2&head=3&row=2"}


def take(browser, address, name, size, theme):
    context = browser.new_context(viewport=SIZES[size], color_scheme=theme, reduced_motion="reduce")
    page = context.new_page()
    page.goto(f"{address}/#view={name}&{STATES.get(name, '')}")
    page.wait_for_selector("html[data-ready]")
    page.wait_for_load_state("networkidle") if name != "training" else page.wait_for_selector(".curves .curve")
    page.wait_for_timeout(500)
    shot = page.screenshot()
    context.close()
    return shot


def repacked(png):
    """The same picture, its data packed as small as it goes."""
    chunks, at = [], 8
    while at < len(png):
        size, = struct.unpack(">I", png[at:at + 4])
        chunks.append((png[at + 4:at + 8], png[at + 8:at + 8 + size]))
        at += 12 + size
    data = zlib.compress(zlib.decompress(b"".join(data for kind, data in chunks if kind == b"IDAT")), 9)
    kept = [(kind, data) for kind, data in chunks if kind == b"IHDR"] + [(b"IDAT", data), (b"IEND", b"")]
    return png[:8] + b"".join(struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in kept)


def sheet(browser, rows):
    """Pictures in rows, scaled, on grey."""
    image = lambda shot: f'<img src="data:image/png;base64,{base64.b64encode(shot).decode()}">'
    body = "".join(f'<div>{"".join(map(image, row))}</div>' for row in rows)
    style = (f"body {{ margin: 0; background: #8a8890; padding: {GAP}px; width: max-content; display: grid; gap: {GAP}px }}"
             f"div {{ display: flex; gap: {GAP}px }} img {{ display: block; height: {SCALE * SIZES['wide']['height']}px }}")
    page = browser.new_page()
    page.set_content(f"<style>{style}</style>{body}", wait_until="load")
    picture = page.locator("body").screenshot()
    page.close()
    return repacked(picture)


def make(browser, address, folder):
    for name in views.VIEWS:
        rows = [[take(browser, address, name, size, theme) for size in SIZES] for theme in ("light", "dark")]
        (folder / f"sheet_{name}.png").write_bytes(sheet(browser, rows))
