"""The official deepl package from PyPI, as it is."""
import deepl
import pytest

from server import Server


@pytest.fixture
def client(server):
    return deepl.Translator("any-key", server_url=server.url)


def code_for(client, target):
    """The package wants a region where DeepL does: EN-GB for en."""
    return {"EN": "EN-GB", "PT": "PT-PT"}.get(target.upper(), target.upper())


def test_translates_one_and_several(client, languages):
    source, target = languages
    to = code_for(client, target)
    one = client.translate_text("The black cat sleeps.", target_lang=to)
    assert one.text and one.detected_source_lang == source.upper()
    two = client.translate_text(["The black cat sleeps.", "The dog sleeps."],
                                source_lang=source.upper(), target_lang=to)
    assert [result.text for result in two][0] == one.text
    assert len(two) == 2


def test_splits_sentences_as_asked(client, languages):
    to = code_for(client, languages[1])
    one, two = "the black cat sleeps .", "the dog sleeps ."
    said = [client.translate_text(text, target_lang=to).text for text in (one, two)]
    split = lambda text, how: client.translate_text(text, target_lang=to, split_sentences=how).text
    assert split(f"{one} {two}", deepl.SplitSentences.ALL) == f"{said[0]} {said[1]}"
    wrapped = one.replace("black ", "black\n")
    assert split(f"{wrapped} {two}", deepl.SplitSentences.NO_NEWLINES) == f"{said[0]} {said[1]}"
    assert "\n" in split(f"{wrapped} {two}", deepl.SplitSentences.ALL)
    assert "\n" not in split(f"{one}\n{two}", deepl.SplitSentences.OFF)


def test_keeps_tags(client, languages):
    to = code_for(client, languages[1])
    result = client.translate_text("<p>the <b>black</b> cat</p>", target_lang=to,
                                   tag_handling="html")
    assert result.text.count("<b>") == result.text.count("</b>") == 1
    assert result.text.startswith("<p>") and result.text.endswith("</p>")


def test_lists_languages_and_usage(client, languages):
    source, target = languages
    assert [each.code.lower() for each in client.get_source_languages()] == [source]
    assert [each.code.lower() for each in client.get_target_languages()] == [target]
    usage = client.get_usage()
    assert usage.character.valid and not usage.any_limit_reached


def test_gets_errors(client):
    with pytest.raises(deepl.DeepLException, match="target_lang"):
        client.translate_text("a", target_lang="JA")


def test_refuses_a_wrong_key(tmp_path, languages):
    keys = tmp_path / "keys"
    keys.write_text("right\n")
    with Server("--api-key-file", str(keys)) as server:
        to = code_for(None, languages[1])
        assert deepl.Translator("right", server_url=server.url).translate_text(
            "a", target_lang=to).text
        with pytest.raises(deepl.AuthorizationException):
            deepl.Translator("wrong", server_url=server.url).translate_text("a", target_lang=to)
