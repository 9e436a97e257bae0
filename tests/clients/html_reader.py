"""HTML as html5lib reads it: a parser that follows the standard, by other people."""
import html5lib
from html5lib._tokenizer import HTMLTokenizer
from html5lib.constants import tokenTypes

KINDS = {tokenTypes[name]: name for name in ("Doctype", "StartTag", "EndTag", "EmptyTag", "Comment")}
MACHINE = {"script", "style", "textarea", "xmp", "iframe", "noembed", "noframes", "noscript", "plaintext"}
KEPT = MACHINE | {"code", "kbd", "samp", "var", "svg", "math", "object", "canvas", "audio", "video"}


class Tokens(HTMLTokenizer):
    """A tokenizer that remembers its tags, comments and doctypes."""

    def __iter__(self):
        for token in super().__iter__():
            if token["type"] in KINDS:
                self.parser.tags.append(remembered(token))
            yield token


def remembered(token):
    kind = KINDS[token["type"]]
    if kind == "Comment":
        return kind, token["data"]
    if kind == "Doctype":
        return kind, token["name"], token["publicId"], token["systemId"]
    return kind, token["name"], tuple(dict(token["data"]).items()), token["selfClosing"]


class Reader(html5lib.HTMLParser):
    """The tree that it builds tells the tokenizer how to read on."""

    def mainLoop(self):
        self.tokenizer.__class__ = Tokens
        super().mainLoop()

    def read(self, html):
        """Its tags, comments and doctypes, in order; and the tree."""
        self.tags = []
        tree = self.parse(html, scripting=True)
        return self.tags, tree


def texts(element, kept=False):
    """The texts of a tree in order, and whether each is not to be translated."""
    if not isinstance(element.tag, str):
        return
    name = element.tag.rpartition("}")[2]
    if name == "title" and "<" in (element.text or ""):
        return  # kept where it stands as "<", translated where as "&lt;"
    kept = (kept or name in KEPT
            or element.get("translate", "").lower() == "no"
            or "notranslate" in element.get("class", "").lower().split())
    if element.text:
        yield element.text, kept
    for child in element:
        yield from texts(child, kept)
        if child.tail:
            yield child.tail, kept
