"""Fragments of HTML that are hard to read, at random but always the same."""
import random

INLINE = "a b i em span u code label mark q small sub".split()
BLOCK = "p div li ul h1 h2 td tr table section blockquote dd dt dl pre address button".split()
RAW = "script style textarea title xmp iframe noembed noframes noscript".split()
VOID = "br img hr input wbr meta link embed source".split()
FOREIGN = "svg math mi mtext annotation-xml foreignObject desc title path g mglyph".split()
WORDS = "the cat sees a black dog and the house sleeps . two children , one bird !".split()
BLANKS = [" ", "\n", "\t", "\f", "\r\n", "  ", "/", " / "]
VALUES = ["", "x", "no", "a > b", "</script>", "<b>", "-->", "x/", "/", "&amp", "]]>", "notranslate", "a=b"]
NAMES = ["title", "href", "class", "translate", "TRANSLATE", "data-x", "x", "\"", "'", "<", "=", "color"]
PIECES = [
    "<!-->", "<!--->", "<!---->", "<!-- x -->", "<!-- a --!>", "<!-- a", "-->", "--!>", "<!--", "<!-- <!-- x -->",
    "<!-- <!-->", "<?php echo '>' ?>", "<?", "<!x>", "<!", "<!>", "</ >", "</>", "</", "</ x y>", "</3>", "<", "< ", "<3",
    "<=", "<>", ">", "<!DOCTYPE html>", "<!doctype html PUBLIC \"a>b\" 'c'>", "<![CDATA[ a > b ]]>", "<![CDATA[", "]]>",
    "<script>", "<script/>", "<script src=x/>", "</script>", "<!-- <script>", "</script >", "</SCRIPT/x>", "<style/>",
    "<svg/>", "<math/>", "<svg><style>", "</svg>", "</math>", "<plaintext>", "\"", "'", "=", "/", "&", "&amp", "&amp;",
    "&lt;b&gt;", "&ltb", "&notit;", "&notin;", "&#x80;", "&#65", "&#x3c;", "&#60script&#62;", "&#0;", "&#xD800;", "&#99999999999;",
    "&#32", "&#", "&#x;", "&unknown;", "&nbsp", "\u00a0", "\u00e9", "\u65e5\u672c", "\U0001f600", "\n", "\r\n", "\t", "\f",
    "<a title=\n\"a > b\">", "<a title\t=\t'a > b'>", "<br class=\"notranslate\">", "<p translate = \"no\">", "<p translate=no>",
    "<b title=\"a\"class=x>", "<i/>", "<b/title='>'>", "<img alt='a > b'/>", "<a =\"x>", "<a b=>", "<a href=x/>", "<a href",
    "<a href=", "<a href='", "<span class='x notranslate'>", "<p", "<p ", "<p/", "<div translate=no>", "</div>", "</p>", "</b>",
]


class Fragments:
    """Called, it gives the next fragment."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def __call__(self):
        html = "".join(self.piece() for _ in range(self.random.randint(1, 14)))
        while html and self.random.random() < 0.4:
            html = self.mutated(html)
        return html

    def piece(self):
        pick = self.random.choice
        kinds = [self.words, self.tag, self.element, self.raw, self.foreign, lambda: pick(PIECES)]
        return self.random.choices(kinds, (8, 5, 3, 1, 0.5, 5))[0]()

    def words(self):
        return " ".join(self.random.choices(WORDS, k=self.random.randint(1, 5))) + self.random.choice(["", " "])

    def cased(self, name):
        return self.random.choice([name, name, name, name.upper(), name.capitalize()])

    def attributes(self):
        pick, text = self.random.choice, ""
        for _ in range(self.random.choice([0, 0, 0, 1, 1, 2])):
            quote = pick(["\"", "'", ""])
            value = pick(["", pick(["", " ", "\n"]) + "=" + pick(["", " ", "\t"]) + quote + pick(VALUES) + quote])
            text += pick(BLANKS) + pick(NAMES) + value
        return text + pick(["", "", "", " ", "/", " /"])

    def tag(self, names=INLINE + INLINE + BLOCK + VOID):
        opening = self.random.choice(["<", "<", "<", "</"])
        return f"{opening}{self.cased(self.random.choice(names))}{self.attributes()}>"

    def element(self):
        name = self.random.choice(INLINE + BLOCK)
        return f"<{name}{self.attributes()}>{self.words()}</{name}>"

    def raw(self):
        name = self.random.choice(RAW)
        inside = "".join(self.random.choice([self.words(), self.random.choice(PIECES)]) for _ in range(3))
        return f"<{self.cased(name)}{self.attributes()}>{inside}</{self.cased(name)}{self.attributes()}>"

    def foreign(self):
        name = self.random.choice(["svg", "math"])
        inside = "".join(self.random.choice([self.words(), self.tag(FOREIGN), self.random.choice(PIECES)]) for _ in range(4))
        return f"<{name}{self.attributes()}>{inside}</{name}>"

    def mutated(self, html):
        at, pick = self.random.randrange(len(html)), self.random.choice
        return pick([html[:at] + html[at + 1:], html[:at] + pick("<>/!-='\" \nab&;") + html[at:], html[:at],
                     html[:at] + html[self.random.randrange(len(html)):]])
