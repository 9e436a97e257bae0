#!/usr/bin/env python3
"""usage: fuzz/make_seeds.py PROGRAM

Writes fuzz/seeds/: what PROGRAM itself writes, from a training as small as can be, and samples of the formats that it only
reads. Run it again after a format has changed.
"""
import gzip
import io
import json
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

SEEDS = pathlib.Path(__file__).parent / "seeds"
BETWEEN = b"\n%%\n"


def seed(target, name, content):
    folder = SEEDS / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())


def train(program, folder, *settings):
    corpus = folder / "corpus.tsv"
    corpus.write_text("a b\tA B\nb a\tB A\na\tA\nb\tB\n" * 8)
    small = ["model.d_model=2", "model.d_hidden=1", "model.heads=1", "model.encoder_layers=1", "model.decoder_layers=1",
             "vocab.type=words", "vocab.joint=true", "vocab.min_frequency=1", "data.drop_duplicates=false", "train.optimiser=sgd",
             "train.average_best=1", "train.validate_sentences=0", *settings]
    subprocess.run([program, "train", "-q", "--train", corpus, "--model", folder / "model", "--steps", "2",
                    *(word for each in small for word in ("--set", each))], check=True)
    return folder / "model"


def from_trainings(program):
    for name, settings in {"transformer": [], "bahdanau": ["model.architecture=bahdanau", "model.attention=additive"],
                           "learned": ["model.position=learned", "model.max_length=4", "data.max_tokens=3", "model.tied=none"]}.items():
        with tempfile.TemporaryDirectory() as folder:
            model = train(program, pathlib.Path(folder), *settings)
            read = lambda path: (model / path).read_bytes()
            seed("model_folder", name, BETWEEN.join(map(read, ["config.json", "joint.tokens", "model.safetensors"])))
            seed("config_json", name, json.dumps(json.loads(read("config.json"))["model"]))
            if name == "transformer":
                subprocess.run([program, "convert", "--to", "int8", model, "--out", f"{model}-int8"], check=True, capture_output=True)
                rounded = lambda file: pathlib.Path(f"{model}-int8", file).read_bytes()
                seed("model_folder", "int8", BETWEEN.join(map(rounded, ["config.json", "joint.tokens", "model.safetensors"])))
            if name != "bahdanau":
                continue
            last = "checkpoints/ckpt-2/"
            seed("checkpoint", "last", BETWEEN.join(map(read, [last + "progress.json", last + "learner.safetensors"])))
            seed("manifest", "last", read(last + "MANIFEST.json"))
            for step in ("0", "2"):
                seed("progress", step, read(f"checkpoints/ckpt-{step}/progress.json"))
            seed("metrics", "run", read("metrics.jsonl"))
            seed("words_file", "joint", read("joint.tokens"))
            seed("toml", "recipe", read("recipe.toml"))


def from_other_trainings(program):
    """Models that read or write something else than text: their parts of config.json."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "a.png").write_bytes(png(2, 2, 8, 2, b"\0\1\2\3\4\5\6\0\1\1\1\1\1\1"))
        (folder / "pictures.tsv").write_text("a.png\ta b\na.png\tb\n")
        (folder / "labels.tsv").write_text("a b\tA\nb a\tB\na\tA\nb\tB\n")
        (folder / "table.csv").write_text("day,x,y\n" + "".join(f"{i},{i * 7 % 10},{i % 3}\n" for i in range(40)))
        words = ["vocab.type=words", "vocab.min_frequency=1"]
        for kind, examples, settings in [
                ("caption", "pictures.tsv", [*words, "model.image_size=2", "model.image_patch=1", "model.decoder_layers=1"]),
                ("classify", "labels.tsv", words),
                ("forecast", "table.csv", ["model.context=4", "model.horizon=2", "model.patch=2", "model.stride=2", "model.quantiles=0.2,0.5"])]:
            settings = ["model.d_model=4", "model.d_hidden=1", "model.heads=1", "model.encoder_layers=1", "train.optimiser=sgd",
                        "train.validate_sentences=0", *settings]
            model = folder / kind
            subprocess.run([program, "train", "-q", "--arch", kind, "--train", folder / examples, "--model", model, "--steps", "2",
                            *(word for each in settings for word in ("--set", each))], check=True)
            config = (model / "config.json").read_bytes().replace(b'"source.tokens"', b'"joint.tokens"')  # as the target calls it
            tokens = b"".join(path.read_bytes() for path in model.glob("*.tokens"))
            seed("model_folder", kind, BETWEEN.join([config, tokens, (model / "model.safetensors").read_bytes()]))


def vocabularies(program):
    with tempfile.TemporaryDirectory() as folder:
        text, tokens = pathlib.Path(folder, "text"), pathlib.Path(folder, "tokens")
        text.write_text("The cat, à côté. the cat 日本\n" * 40)
        for kind in ("bpe", "unigram"):
            subprocess.run([program, "vocab", "--input", text, "--size", "300", "--type", kind, "--overwrite", "-o", tokens], check=True,
                           capture_output=True)
            seed("subwords", kind, tokens.read_bytes())
    piece = lambda text, kind, score=0.0: field(1, field(1, text) + b"\x15" + struct.pack("<f", score) + b"\x18" + bytes([kind]))
    seed("subword_file", "small", piece(b"<unk>", 2) + piece(b"a", 1, -1.5) + piece(b"<s>", 3) + field(2, b"\x18\x02") + field(3, b""))
    seed("subword_file", "map", piece(b"<unk>", 2) + field(2, b"\x18\x01") + field(3, field(2, character_map())))
    seed("character_map", "one", b"a" + BETWEEN + character_map())
    seed("words_file", "split", "regard words 1 lower_case=1 split_punctuation=1 size=6\n<pad>\n<bos>\n<eos>\n<unk>\né\n,\n")
    seed("words_file", "joined", "regard words 2 lower_case=0 split_punctuation=1 size=8\n<pad>\n<bos>\n<eos>\n<unk>\nl'\n‿été\n‿.\n‿\n")


def field(number, content):
    """A field of a protocol buffer with a length of one or two bytes."""
    size = len(content)
    return bytes([number << 3 | 2]) + (bytes([size]) if size < 128 else bytes([size & 127 | 128, size >> 7])) + content


def character_map():
    """A double array of one block that maps "a" to "b"."""
    units = [0] * 256
    root_children, leaf = 128, 64
    units[0] = root_children << 10
    node = root_children ^ ord("a")
    units[node] = (node ^ leaf) << 10 | 1 << 8 | ord("a")
    units[leaf] = 1 << 31
    trie = struct.pack("<256I", *units)
    return struct.pack("<I", len(trie)) + trie + b"b\0"


def tensors():
    def safetensors(header, data):
        text = json.dumps(header).encode()
        return struct.pack("<Q", len(text)) + text + data
    entry = lambda dtype, shape, begin, end: {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}
    seed("safetensors", "empty", safetensors({}, b""))
    seed("safetensors", "kinds", safetensors(
        {"__metadata__": {"format": "pt"}, "a": entry("F64", [1], 0, 8), "b": entry("F32", [2, 1], 8, 16),
         "c": entry("F16", [2], 16, 20), "d\u00e9": entry("BF16", [1, 0], 20, 20), "e": entry("I64", [], 20, 28),
         "f": entry("U8", [3], 28, 31)}, bytes(range(31))))
    def npy(descr, shape, data, fortran=False, version=1):
        text = f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}\n".encode()
        return b"\x93NUMPY" + bytes([version, 0]) + struct.pack("<H" if version == 1 else "<I", len(text)) + text + data
    seed("npy", "f4", npy("<f4", (2, 2), struct.pack("<4f", 1, -2, 0.5, float("nan"))))
    seed("npy", "f8_fortran", npy("<f8", (2, 1), struct.pack("<2d", 1e300, -0.0), True, 2))
    seed("npy", "i8", npy("<i8", (1,), struct.pack("<q", -2**63), version=3))
    seed("npy", "i4", npy("<i4", (), struct.pack("<i", 7)))
    seed("npy", "b1", npy("|b1", (3, 0), b""))


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width, height, depth, kind, rows, *more, interlaced=0):
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, interlaced))
    return b"\x89PNG\r\n\x1a\n" + header + b"".join(more) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")


def boxes(program):
    scenes = subprocess.run([program, "corpus", "builtin:scenes", "--pairs", "1", "--json"], check=True, capture_output=True).stdout
    seed("boxes", "scene", scenes)
    shapes = subprocess.run([program, "corpus", "builtin:shapes", "--pairs", "1", "--json"], check=True, capture_output=True).stdout
    seed("boxes", "label", shapes)
    own = '{"picture":"é.png","objects":[{"box":[1,2,3,4]}],"de":{"caption":"Ein Käfer.","words":[{"word":"Käfer","from":4,"to":9,"object":0}]}}\n'
    seed("boxes", "own", own)
    seed("boxes", "again", own + own)
    seed("boxes", "outside", own.replace('"to":9', '"to":10'))


def pictures():
    palette = chunk(b"PLTE", bytes(range(12))), chunk(b"tRNS", b"\x00\x80")
    seed("png", "colour", png(2, 2, 8, 2, b"\0\1\2\3\4\5\6\1\1\1\1\1\1\1"))
    seed("png", "colour_alpha", png(2, 1, 8, 6, b"\4\1\2\3\x80\4\5\6\xff"))
    seed("png", "grey", png(9, 2, 1, 0, b"\0\xaa\x80\2\x55\0", chunk(b"gAMA", struct.pack(">I", 100000))))
    seed("png", "grey_alpha", png(1, 2, 8, 4, b"\0\7\x80\3\7\x80"))
    seed("png", "palette", png(5, 1, 2, 3, b"\0\x1b\0", *palette))
    seed("png", "interlaced", png(2, 2, 4, 3, b"\0\x10" b"\0\x20" b"\0\x31", *palette, interlaced=1))
    seed("png", "deep", png(1, 1, 16, 0, b"\0\1\2"))
    seed("png", "moving", png(1, 1, 8, 0, b"\0\1", chunk(b"acTL", bytes(8))))


def parallel_text():
    seed("tsv", "pairs", "a b\tA B\nThe cat sleeps .\tLe chat dort .\t0-0 1-1 2-2\na b\tA B\nno tab\na\tb\tc\td\n\t\n")
    seed("tsv", "endings", b"\xef\xbb\xbfa\tb\r\nc\rd\te\n\xff\tf\ng\0\th\nx\tx")
    seed("tsv", "note", "Hi.\tSalut.\tCC-BY 2.0\n")
    seed("po", "messages", '''msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\\n"

#, fuzzy
msgid "old"
msgstr "vieux"

msgctxt "menu"
msgid "a \\"cat\\"\\n"
"sleeps"
msgstr "un \\x63hat\\tdort"

msgid "one file"
msgid_plural "%d files"
msgstr[0] "un fichier"
msgstr[1] "%d fichiers"

#~ msgid "gone"
#~ msgstr "parti"
''')
    seed("po", "octal", 'msgid "\\101"\nmsgstr "\\303\\251"\n')
    unit = '<tu><tuv xml:lang="{}"><seg>{}</seg></tuv><tuv xml:lang="fr"><seg>Le <bpt i="1">{{b}}</bpt>chat &amp; lui</seg></tuv></tu>'
    seed("tmx", "units", '<?xml version="1.0"?><tmx version="1.4"><header/><body>' + unit.format("en", "The <hi>cat</hi> &lt;") +
         unit.format("EN_us", "cat &#233;<![CDATA[<x>]]>") + "<tu/></body></tmx>")
    seed("tmx", "latin", b'<?xml version="1.0" encoding="ISO-8859-1"?><tmx><tu><tuv lang="en"><seg>\xe9</seg></tuv>'
         b'<tuv lang="fr"><seg>b</seg></tuv></tu></tmx>')
    seed("tmx", "doctype", '<!DOCTYPE tmx SYSTEM "tmx14.dtd"><tmx><!-- c --><tu><tuv><seg>a&b;</seg></tuv></tu></tmx>')
    seed("lines", "endings", b"\xef\xbb\xbfone\r\ntwo\rthree\n\nlonger than eight\nend")
    seed("lines", "wide", "a\n".encode("utf-16"))
    seed("lines", "zstd", b"\x28\xb5\x2f\xfd text")
    for name, parts in {"member": [b"a b\n" * 9], "two": [b"one\n", b"two\n"], "nothing": [b""]}.items():
        packed = b"".join(pack(part) for part in parts)
        seed("gzip", name, packed)
        seed("lines", "packed_" + name, packed)
    seed("gzip", "zeros", pack(b"x") + bytes(20))
    seed("gzip", "cut", pack(b"something longer")[:-9])
    seed("gzip", "named", pack(b"x", "name"))


def pack(content, name=""):
    to = io.BytesIO()
    with gzip.GzipFile(filename=name, mode="wb", fileobj=to, mtime=0) as file:
        file.write(content)
    return to.getvalue()


def series():
    """Every step after a first moment that the reader knows; rows for both sizes of table that the target allows."""
    for name, text in {
        "hours": "date,load,OT\n2016-07-01 00:00:00,5.827000141143799,-1e-3\n2016-07-01 01:00:00,+1,.5\n2016-07-01 02:00:00,0,2e10\n",
        "minutes": "t,a\n2016-12-31T23:45,1\n2017-01-01T00:00,2\n", "days": '"d,""x""" , " a "\r\n2016-02-28,1\r\n2016-02-29,2\r\n\r\n',
        "months": "d,a\n2016-01-31,1\n2016-02-29,2\n2016-03-31,3\n", "numbers": "\ufeffstep,é\n-2,1\n1,2\n4,3",
        "gap": "d,a\n2016-07-01,1\n2016-07-02,2\n2016-07-04,3\n", "missing": "d,a,b\n1,1,1\n2,,1\n", "odd": 'd,a\n1,"1\n2,nan\n',
    }.items():
        seed("series", name, text)


def requests():
    lines = lambda *all: ("\r\n".join(all)).encode()
    seed("http_request", "get", lines("GET /v1/model?name=a%20b HTTP/1.1", "Host: localhost:7777", "", ""))
    seed("http_request", "post", lines("POST /translate HTTP/1.1", "Host: x", "Content-Type: application/json", "Content-Length: 9", "",
                                       '{"q":"a"}GET / HTTP/1.0', "", ""))
    seed("http_request", "chunks", lines("", "POST /a/b%C3%A9 HTTP/1.1", "host: x", "transfer-encoding: chunked", "", "4;x=y", "q=ab", "0",
                                         "Trailer: z", "", ""))
    seed("http_request", "gzip", lines("POST / HTTP/1.1", "Host: x", "Content-Encoding: gzip", "Content-Length: 24", "", "")
         + pack(b"q=ab"))
    seed("http_request", "head", lines("HEAD http://x/ HTTP/1.1", "Host: x", "Connection: close", "Expect: 100-continue", "", ""))
    seed("http_request", "star", lines("OPTIONS * HTTP/1.0", "", ""))
    seed("request_body", "json", 'application/json; charset=utf-8\n{"q":["a","\u00e9"],"source":"en","beam":4,"html":true,"alternatives":"3"}')
    seed("request_body", "form", "application/x-www-form-urlencoded\nq=a+b%21&q=%C3%A9&beam=4&html=0&source=&x")
    seed("request_body", "parts", 'multipart/form-data; boundary="-x"\n---x\r\nContent-Disposition: form-data; name="q"; filename="a;\\"b"\r\n'
         'Content-Type: text/plain\r\n\r\nThe\r\ncat\r\n---x\r\ncontent-disposition: form-data; name=beam\r\n\r\n4\r\n---x--\r\n')
    seed("request_body", "other", "text/plain\nq")
    seed("client", "proxy", "10.0.0.1\n10.0.0.1, 10.0.0.2\n1.2.3.4, 2001:db8::1, 10.0.0.2\nlocalhost:7777\n")
    seed("client", "six", "::ffff:1.2.3.4\n\n\n[::1]:80\n")


def pages():
    for name, html in {
        "inline": 'The <b>black <i>cat</i></b> sleeps<br>at <a href="x>y">home</a>. <img src=a> &eacute;&amp;&foo;&#65;',
        "blocks": "<!DOCTYPE html><html><p>One.<p translate=no>two <b>2</b></p><!-- c --><h1 title='>'>Three &lt; 3</h1>",
        "kept": "a <code>x < y</code> b <script>if (a<b) '</b>'</script> <textarea>t</textarea> <span class=notranslate>k</span> end",
        "odd": "a < b <c/> </ d> <! e> <?f?> <B>g</i> &#x; <em", "uneven": "<b>a <i>b</b> c</i> d</u>",
    }.items():
        seed("html", name, html)
    for target in ("tokenizer", "detect"):
        for name, text in {"english": "the cat sleeps, in there.", "french": "où est l'été\u00a0?", "mixed": "日本 \u0301e <unk> \u2581 \u200b",
                           "bytes": b"\xff\xc3\x28 a\0\r\n\xed\xa0\x80"}.items():
            seed(target, name, text)
    for name, text in {
        "english": 'Mr. Smith went to the U.S. He said: "Go!" (He left.) See Fig. 3.\n\n1. First... then?',
        "latin": "M. Dupont dit : « Oui. » Vraiment ? Am 5. Mai, z.B. so. “Ja.” A. B. Klein usw. Ende",
        "scripts": "今日は。「はい。」と？「いいえ。」３．１４ Τι; Ναι. Он, т.е. я. كيف؟ है। . . . ok",
        "bytes": b'a .\xff b. \xe3\x80 . \xc2\xa0" c . " D.[1] E',
    }.items():
        seed("sentences", name, text)
    seed("trace", "found", b"model" + BETWEEN + b"the cat sleeps" + BETWEEN)
    seed("trace", "given", b"m\xff" + BETWEEN + b"the <b> cat" + BETWEEN + b"at home .")


def typed():
    for name, text in {"row": "1,3,2;1,1,3", "file": "# m\nx\ty\n1\t2e3\n\n-0.5\t+4\n", "spaces": "1 2\n3  4\n", "semicolons": "1,5;2\n",
                       "odd": "nan,inf;1e999,0x10"}.items():
        seed("matrix_text", name, text)
    for name, text in {"rows": "[[1,3,2],[1.5,-1e3,0]]", "named": '{"query":[[1]],"key":[[2],[3]],"value":[[4],[5]]}',
                       "batches": "[[[1,2]],[[3,4]]]", "ragged": "[[1,2],[3]]", "other": '{"q":[[null]]}'}.items():
        seed("matrix_json", name, text)
    for name, text in {"whole": "model.d_model=256", "unit": "train.steps=4k", "number": "train.learning_rate=1e-3", "flag": "vocab.joint=false",
                       "text": "data.from=en", "choice": "model.tied=all", "wrong": "modle.x=1"}.items():
        seed("settings", name, text)
    seed("toml", "kinds", "[model]\nd_model = 0x20 # c\ndropout = 1e-1\ntied = 'all'\npre_norm = true\n[decode]\nx.y = 1979-05-27\n"
         "[data]\nfrom = \"\"\"e\\u00e9\"\"\"\n")
    seed("toml", "odd", "[[model]]\na = [1, {b = 2}]\n[train]\nsteps = 1_000\nclip = inf\n")
    seed("config_json", "kinds", '{"d_model": 16, "dropout": 1e-1, "tied": "none", "pre_norm": true, "attention": "\\u00e9\\ud83d\\ude00"}')
    seed("config_json", "odd", '[[{"a": null, "b": [-0.0, 18446744073709551615]}]]')
    seed("manifest", "newer", '{"format": 2}')
    seed("metrics", "kinds", '{"type":"valid","step":2,"loss":4.5}\n{"type":"speed"}\n{"type":"train","step":3}\n')


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    shutil.rmtree(SEEDS, ignore_errors=True)
    from_trainings(sys.argv[1])
    from_other_trainings(sys.argv[1])
    vocabularies(sys.argv[1])
    tensors()
    boxes(sys.argv[1])
    pictures()
    parallel_text()
    series()
    requests()
    pages()
    typed()


main()
