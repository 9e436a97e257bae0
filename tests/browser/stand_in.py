"""A stand-in for `regard serve`: the files of regard/page as they lie in the tree, and answers made by
rule. For work on the page without a build; the tests use the program where REGARD_PROGRAM names it."""

import http.server
import json
import math
import pathlib
import re
import threading
import urllib.parse

import synthetic

PAGE = pathlib.Path(__file__).resolve().parents[2] / "regard" / "page"
TYPES = {".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
         ".svg": "image/svg+xml"}
WORDS = {"The": "Le", "the": "le", "black": "noir", "cat": "chat", "does": "", "not": "ne", "see": "voit", "dog.": "chien.",
         "sleeps.": "dort."}


MOST_TRACED = 256  # tokens
OTHERS = ["autre", "plus"]  # words that might stand anywhere, too


def translated(text, prefix=""):
    words = [WORDS.get(word, word) for word in text.split() if WORDS.get(word, word)]
    return prefix.split() + words[len(prefix.split()):]


def other_words(request):
    """What might follow the prefix: the word that does, and others."""
    before = request.get("prefix", "")
    words = translated(request["q"], before)
    place = len(before.split())
    ends = [words[place:place + 1], *[[word] for word in OTHERS]]
    return {"schema": 1, "unknown": [], "alternatives": [
        {"word": word, "probability": 0.6 / 3 ** i, "translatedText": " ".join([*words[:place], word, *words[place + 1:]])}
        for i, [word] in enumerate(each for each in ends if each)]}


def stranger(request):
    """A word of the prefix that nobody has seen."""
    known = [*OTHERS, *WORDS.values(), *request.get("q", "").split()]
    return next((word for word in request.get("prefix", "").split() if word not in known), None)


def sentences(text):
    """Where the sentences begin and end, in bytes: at full stops before a space, and at line breaks."""
    return [{"start": len(text[:found.start()].encode()), "end": len(text[:found.end()].encode())}
            for found in re.finditer(r"[^\s](?:(?!\. |\n).)*(?:\.(?= ))?", text)]


def part(text, place):
    return text.encode()[place["start"]:place["end"]].decode()


def unknown(text):
    """Words that look as if nobody had seen them."""
    return [{"text": found.group(), "start": len(text[:found.start()].encode()), "end": len(text[:found.end()].encode())}
            for found in re.finditer(r"\bwombats?\b", text)]


def whole_text(request):
    q = request["q"]
    result, at = "", 0
    places = sentences(q)
    for place in places:
        own = request.get("prefix", "") if places.index(place) == request.get("sentence", 0) else ""
        found = translated(part(q, place), own)
        place["translatedText"] = " ".join(found)
        if request.get("words"):
            tokens = synthetic.trace(part(q, place).split(), found)["target"]["tokens"]
            place["words"] = [{"text": word, "probability": math.exp(token["logprob"])} for word, token in zip(found, tokens)]
        result += part(q, {"start": at, "end": place["start"]}) + place["translatedText"]
        at = place["end"]
    return {"schema": 1, "translatedText": result + part(q, {"start": at, "end": None}), "sentences": places, "unknown": unknown(q)}


def longest(request):
    """Tokens of the sentence that is to be traced."""
    places = sentences(request["q"])
    return len(part(request["q"], places[min(request.get("sentence", 0), len(places) - 1)]).split()) if places else 0


def inspected(request):
    q = request["q"]
    places = sentences(q) if request.get("split") else []
    chosen = min(request.get("sentence", 0), max(0, len(places) - 1))
    text = part(q, places[chosen]) if places else q
    trace = synthetic.trace(text.split(), translated(text, request.get("prefix", "")), request=request)
    given = len(request.get("prefix", "").split())
    return trace | {"unknown": unknown(q), "decoding": "search", "forced_tokens": given} | ({"sentences": places, "sentence": chosen} if places else {})


class Answers(http.server.BaseHTTPRequestHandler):
    key = ""  # that every request must carry, if any

    def send(self, status, kind, body):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'")
        self.end_headers()
        self.wfile.write(body)

    def send_json(self, data, status=200):
        self.send(status, "application/json", json.dumps(data).encode())

    def refused(self):
        """Whether the key is missing or wrong, which is then said."""
        sent = self.headers.get("Authorization", "").removeprefix("Bearer ").encode("latin-1").decode()
        if self.key and not sent:
            self.send_json({"error": "Please contact the server operator to get an API key"}, 400)
        elif self.key and sent != self.key:
            self.send_json({"error": "Invalid API key"}, 403)
        return self.key and sent != self.key

    def do_GET(self):
        url = urllib.parse.urlparse(self.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        name = "index.html" if url.path == "/" else url.path.removeprefix("/page/")
        file = PAGE / name
        if url.path == "/v1/model":
            self.send_json(synthetic.model())
        elif url.path.startswith("/v1/") and self.refused():
            return
        elif url.path == "/v1/positional":
            self.send_json(synthetic.positional(int(query["length"])))
        elif url.path == "/v1/weights":
            self.send_json(synthetic.pooled_weight(query["parameter"], int(query["size"])))
        elif url.path == "/v1/heads":
            self.send_json({"schema": 1, "sentences": 0, "heads": []})
        elif url.path == "/v1/runs":
            self.send_json({"schema": 1, "runs": [{"id": "en-fr", "state": "finished", "finished": True, "lines": len(synthetic.metrics())}]})
        elif url.path == "/v1/runs/en-fr/metrics":
            lines = synthetic.metrics()
            self.send_json({"schema": 1, "lines": lines[int(query["since"]):], "next": len(lines)})
        elif "/" not in name and file.suffix in TYPES and file.is_file():
            self.send(200, TYPES[file.suffix], file.read_bytes().replace(b"@PRELOADS@\n", b""))
        else:
            self.send_json({"error": "not found"}, 404)

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        answers = {"/v1/inspect": inspected, "/v1/translate": whole_text, "/v1/alternatives": other_words}
        if self.path not in answers:
            self.send_json({"error": "not found"}, 404)
        elif self.refused():
            return
        elif not request.get("q"):
            self.send_json({"error": "Invalid request: missing q parameter"}, 400)
        elif self.path == "/v1/inspect" and longest(request) > MOST_TRACED:
            self.send_json({"error": f"Invalid request: the text has {longest(request)} tokens, but at most {MOST_TRACED} can be traced; shorten it"}, 400)
        elif stranger(request):
            self.send_json({"error": f"Invalid request: prefix: unknown word {stranger(request)}"}, 400)
        else:
            self.send_json(answers[self.path](request))

    def log_message(self, *_):
        pass


def start(key=""):
    """Starts it on a free port, for those who have the key, if any; returns (address, stop)."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), type("KeyedAnswers", (Answers,), {"key": key}))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}", server.shutdown


if __name__ == "__main__":
    print(start()[0], flush=True)
    threading.Event().wait()
