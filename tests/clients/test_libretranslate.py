"""libretranslatepy from PyPI, as it is."""
import urllib.error
import urllib.parse

import pytest
import requests
from libretranslatepy import LibreTranslateAPI

from server import Server


def test_translates_and_lists_languages(server, languages):
    source, target = languages
    client = LibreTranslateAPI(server.url + "/")
    said = client.translate("The black cat sleeps.", source, target)
    assert said and isinstance(said, str)
    assert client.translate("The black cat sleeps.", source, target) == said
    known = client.languages()
    assert {entry["code"] for entry in known} == {source, target}
    assert target in next(entry for entry in known if entry["code"] == source)["targets"]


def test_detects(server, languages):
    client = LibreTranslateAPI(server.url + "/")
    found = client.detect("where is the station and what is the time")
    assert found[0]["language"] == languages[0]
    assert 0 <= found[0]["confidence"] <= 100


def test_keeps_lines_of_a_long_text(server, languages):
    client = LibreTranslateAPI(server.url + "/")
    text = "The cat sleeps.\r\n\r\nThe dog sleeps."
    assert len(client.translate(text, *languages).split("\n")) == 3


def test_translates_each_sentence_and_keeps_what_is_between(server, languages):
    client = LibreTranslateAPI(server.url + "/")
    one, two = "the black cat sleeps .", "the dog does not see the cat ."
    said = [client.translate(text, *languages) for text in (one, two)]
    assert client.translate(f"  {one}  {two}\n\n{one}", *languages) == f"  {said[0]}  {said[1]}\n\n{said[0]}"


def test_names_unknown_words_in_a_header(server, languages):
    source, target = languages
    ask = lambda text: requests.post(server.url + "/translate", timeout=60, json={"q": text, "source": source, "target": target})
    answer = ask("The wombat sees the été.")
    names = [urllib.parse.unquote(name) for name in answer.headers["X-Regard-Unknown-Words"].split(",")]
    assert names == ["wombat", "été"] and set(answer.json()) == {"translatedText"}
    assert "X-Regard-Unknown-Words" not in ask("The cat sleeps.").headers


@pytest.mark.parametrize("source, target", [("zz", "fr"), ("en", "zz")])
def test_gets_errors_as_http_errors(server, source, target):
    client = LibreTranslateAPI(server.url + "/")
    with pytest.raises(urllib.error.HTTPError) as error:
        client.translate("a", source, target)
    assert error.value.code == 400
    assert b"zz is not supported" in error.value.read()


def test_uses_a_key(tmp_path, languages):
    keys = tmp_path / "keys"
    keys.write_text("open-sesame\n")
    with Server("--api-key-file", str(keys)) as server:
        assert LibreTranslateAPI(server.url + "/", "open-sesame").translate("a", *languages)
        with pytest.raises(urllib.error.HTTPError) as error:
            LibreTranslateAPI(server.url + "/", "open-barley").translate("a", *languages)
        assert error.value.code == 403
