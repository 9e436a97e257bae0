#include <gtest/gtest.h>

#include "tests/cli/support/small_model.h"

namespace regard {
namespace {

using testing::Folder;
using testing::Outcome;
using testing::run_regard;
using testing::write_small_model;

const std::string kText = "the black cat sleeps at home .";

Outcome inspect(const std::string& model, std::vector<std::string> more,
                const std::string& input = "") {
  more.insert(more.begin(), {"inspect", "--model", model});
  return run_regard(more, {.input = input});
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Inspect, ShowsWhatTranslateSays) {
  const Folder folder;
  for (const testing::SmallModel& kind :
       std::vector<testing::SmallModel>{{}, {.architecture = "bahdanau"}, {.subwords = true}}) {
    const std::string model = write_small_model(folder, kind);
    const std::string said =
        run_regard({"translate", "--model", model, "--alignment"}, {.input = kText + "\n"}).out;
    const std::string text = said.substr(0, said.find('\t'));
    const std::string links = said.substr(said.find('\t') + 1);
    EXPECT_EQ(inspect(model, {"-q", kText}).out, text + "\n");
    const Outcome typed = inspect(model, {kText});
    ASSERT_EQ(typed.code, 0) << typed.err;
    EXPECT_EQ(typed.err, "");
    EXPECT_TRUE(has(typed.out, "source       " + kText + "\n"));
    EXPECT_TRUE(has(typed.out, "translation  " + text));
    EXPECT_TRUE(has(typed.out, "alignment    " + links)) << typed.out;
    EXPECT_TRUE(has(typed.out, "cross-attention"));
    EXPECT_EQ(inspect(model, {}, kText + "\n").out, typed.out);
    EXPECT_EQ(inspect(model, {"-"}, kText).out, typed.out);
    EXPECT_EQ(inspect(model, {"the", "black", "cat", "sleeps", "at", "home", "."}).out, typed.out);
    EXPECT_EQ(inspect(model, {kText, "--threads", "1"}).out, typed.out);
    const nlohmann::json json = inspect(model, {kText, "--json"}).json();
    EXPECT_EQ(json["format"], "regard-trace");
    EXPECT_EQ(json["translatedText"], text);
    EXPECT_EQ(json["alignment"]["moses"].get<std::string>() + "\n", links);
    EXPECT_EQ(json["model"]["name"], "m");
    const std::size_t heads = kind.architecture == "bahdanau" ? 1 : 2 + 4 + 4;
    EXPECT_EQ(json["attention"].size(), heads);
  }
}

TEST(Inspect, ForcesAReference) {
  const Folder folder;
  const std::string model = write_small_model(folder);
  const nlohmann::json forced = inspect(model, {kText, "--reference", "A B Z C", "--json"}).json();
  EXPECT_EQ(forced["translatedText"], "A B Z C");
  ASSERT_EQ(forced["target"]["tokens"].size(), 5u);
  EXPECT_EQ(forced["target"]["tokens"][2]["text"], "Z");
  EXPECT_EQ(forced["target"]["tokens"][2]["id"], 3);
  const std::string scores =
      run_regard({"score", "--model", model}, {.input = kText + "\tA B Z C\n"}).out;
  EXPECT_NEAR(forced["log_probability"].get<double>(), std::stod(scores), 1e-3) << scores;
}

TEST(Inspect, DrawsTheHeadsAskedFor) {
  const Folder folder;
  const std::string model = write_small_model(folder);
  const std::string svg = folder.path("a.svg"), png = folder.path("a.png");
  const Outcome drawn =
      inspect(model, {kText, "--head", "2.1", "--svg", svg, "--png", png, "--kind", "decoder"});
  ASSERT_EQ(drawn.code, 0) << drawn.err;
  EXPECT_TRUE(has(drawn.out, "decoder self-attention, layer 2, head 1: "));
  EXPECT_TRUE(has(folder.read("a.svg"), "decoder self-attention, layer 2, head 1"));
  EXPECT_TRUE(has(folder.read("a.svg"), "&lt;s&gt;"));
  EXPECT_TRUE(folder.read("a.png").starts_with("\x89PNG"));
  EXPECT_EQ(inspect(model, {kText, "--kind", "decoder", "--layer", "2", "--head", "1"}).out,
            drawn.out);
  const Outcome again = inspect(model, {kText, "--svg", svg});  // covers CL2
  EXPECT_EQ(again.code, 2);
  EXPECT_TRUE(has(again.err, "--overwrite"));
  EXPECT_EQ(inspect(model, {kText, "--svg", svg, "--overwrite"}).code, 0);
  EXPECT_EQ(inspect(model, {kText, "--svg", "-"}).out, folder.read("a.svg"));
  const std::string grid = inspect(model, {kText, "--kind", "encoder", "--svg", "-"}).out;
  EXPECT_TRUE(has(grid, "1.1 ") && has(grid, "1.2 "));
  EXPECT_FALSE(has(grid, "2.1 "));
}

/// The data that a saved page holds.
nlohmann::json saved_data(const std::string& page) {
  const std::size_t begin = page.find("id=\"regard-data\"");
  if (begin == std::string::npos) return {};
  const std::size_t from = page.find('>', begin) + 1;
  return nlohmann::json::parse(page.substr(from, page.find("</script", from) - from));
}

TEST(Inspect, SavesAPageThatHoldsEverything) {
  const Folder folder;
  const std::string model = write_small_model(folder, {}, "</script><b>");
  const std::string page = inspect(model, {kText, "--html", "-"}).out;
  EXPECT_TRUE(has(page, "<html"));
  const nlohmann::json data = saved_data(page);
  EXPECT_EQ(data["trace"]["source"]["text"], kText);
  EXPECT_TRUE(data["trace"]["attention"][0].contains("query"));
  EXPECT_EQ(data["model"]["models"][0]["fromName"], "English");
  EXPECT_EQ(data["positional"]["rows"], 64);
  EXPECT_TRUE(data["runs"].is_array());
}

TEST(Inspect, APageHoldsTheFirstOfSeveralSentencesAndSaysSo) {
  const Folder folder;
  const std::string model = write_small_model(folder), page = folder.path("a.html");
  const auto source = [&](const std::string& file) {
    const nlohmann::json data = saved_data(folder.read(file));
    return data["trace"]["source"]["text"].get<std::string>();
  };
  const Outcome two = inspect(model, {"The cat sleeps. The dog sees it.", "--html", page});
  ASSERT_EQ(two.code, 0) << two.err;
  EXPECT_TRUE(has(two.err, "2 sentences")) << two.err;
  EXPECT_TRUE(has(two.err, "--input FILE")) << two.err;
  EXPECT_EQ(source("a.html"), "The cat sleeps.");
  EXPECT_TRUE(has(two.out, "source       The cat sleeps.\n")) << "as the page: " << two.out;
  const Outcome one = inspect(model, {"The cat sleeps.", "--html", folder.path("b.html")});
  EXPECT_FALSE(has(one.err, "sentences")) << one.err;
  // A line of a file is taken as it is, as translate takes it.
  folder.write("in", "The cat sleeps. The dog sees it.\nThe cat.\n");
  const Outcome lines =
      inspect(model, {"--input", folder.path("in"), "--html", folder.path("c.html")});
  ASSERT_EQ(lines.code, 0) << lines.err;
  EXPECT_FALSE(has(lines.err, "sentences")) << lines.err;
  EXPECT_EQ(source("c-0001.html"), "The cat sleeps. The dog sees it.");
}

TEST(Inspect, SavesAPositionForEachToken) {
  const Folder folder;
  const std::string model = write_small_model(folder);
  std::string text = "a";
  for (int i = 1; i < 100; ++i) text += " a";
  const nlohmann::json data = saved_data(inspect(model, {text, "--html", "-"}).out);
  EXPECT_EQ(data["trace"]["source"]["tokens"].size(), 101u);
  EXPECT_GE(data["positional"]["rows"], 101);
  EXPECT_GE(data["positional"]["rows"], data["trace"]["target"]["tokens"].size());
}

TEST(Inspect, SavesThePageWhateverTheRunHolds) {  // covers SV9, MD1: links
  const Folder folder;
  const std::string model = write_small_model(folder), run = folder.path("m/metrics.jsonl");
  const auto saved = [&] { return inspect(model, {kText, "--html", "-"}); };
  const std::size_t depth = 200'000;
  folder.write("m/metrics.jsonl", "{\"a\":" + std::string(depth, '[') + std::string(depth, ']') +
                                      "}\n{\"step\":7}\n[1]\nx\n{\"torn\":");
  const Outcome page = saved();
  ASSERT_EQ(page.code, 0) << page.err;
  EXPECT_TRUE(has(page.out, R"("runs":[{"id":"m","lines":[{"step":7}]}])"));
  for (const char* elsewhere : {"config.json", "/dev/zero", "metrics.jsonl", "nowhere"}) {
    std::filesystem::remove(run);
    std::filesystem::create_symlink(elsewhere, run);
    EXPECT_EQ(saved().code, 3) << elsewhere;
  }
  std::filesystem::remove(run);
  ASSERT_EQ(mkfifo(run.c_str(), 0600), 0);
  const Outcome pipe = saved();
  EXPECT_EQ(pipe.code, 3);
  EXPECT_TRUE(has(pipe.err, "metrics.jsonl: not a regular file")) << pipe.err;
}

TEST(Inspect, HandlesTextOfEveryKind) {
  const Folder folder;
  const std::string model = write_small_model(folder, {.subwords = true});
  for (const std::string text : {"", "  ", "\xff\xfe", "\u05d0\u05d1 \u4f60\u597d \U0001F600",
                                 "<script>alert(1)</script>", "a\tb"}) {
    const Outcome shown = inspect(model, {text.empty() ? "--" : "-q", text});
    EXPECT_EQ(shown.code, 0) << text << shown.err;
    const Outcome json = inspect(model, {"--json", text});
    ASSERT_EQ(json.code, 0) << text << json.err;
    EXPECT_EQ(json.json()["source"]["tokens"].back()["text"], "</s>");
    EXPECT_EQ(inspect(model, {"--svg", "-", text}).code, 0);
  }
}

TEST(Inspect, TellsASentenceFromTheNameOfAFile) {
  const Folder folder;
  const std::string model = write_small_model(folder);
  const Outcome sentence = inspect(model, {"--json", "open config.json"});
  EXPECT_EQ(sentence.code, 0) << sentence.err;
  EXPECT_GT(sentence.json()["timing_ms"]["encode"], 0);
  for (const std::vector<std::string>& named : std::vector<std::vector<std::string>>{
           {"--json", "out.json", "a b"}, {"a b", "--json", "out.json"}, {"--json", "out.json"}}) {
    const Outcome refused = inspect(model, named);
    EXPECT_EQ(refused.code, 2);
    EXPECT_TRUE(has(refused.err, "--trace FILE writes a file")) << refused.err;
  }
}

TEST(Inspect, SaysWhatIsWrong) {
  const Folder folder;
  const std::string model = write_small_model(folder);
  const std::string recurrent = write_small_model(folder, {.architecture = "bahdanau"}, "b");
  std::string longer;
  for (int i = 0; i < 300; ++i) longer += "a ";
  struct Case {
    std::vector<std::string> arguments;
    int code;
    std::string says;
  };
  for (const Case& each : std::vector<Case>{
           {{model, "a", "--kind", "crosss"},
            2,
            "did you mean 'cross'? known: encoder, decoder, cross"},
           {{model, "a", "--layer", "3"}, 2, "no layer 3 of cross-attention; this model has 2"},
           {{model, "a", "--kind", "encoder", "--layer", "2"}, 2, "this model has 1"},
           {{model, "a", "--head", "3"}, 2, "no head 3"},
           {{model, "a", "--head", "0"}, 2, "--head"},
           {{model, "a", "--head", "1.0"}, 2, "as 2, or a layer and a head, as 4.2"},
           {{model, "a", "--head", "x"}, 2, "--head is 'x'"},
           {{model, "a", "--head", "1.1", "--layer", "1"}, 2, "leave --layer out"},
           {{model, "a", "--heads", "1.1"}, 2, "did you mean '--head'?"},
           {{recurrent, "a", "--kind", "encoder"}, 2, "use --kind cross"},
           {{model, "a", "--svg", "-", "--png", "-"}, 2, "both write -"},
           {{model, "a", "--vectors"}, 2, "--trace FILE"},
           {{model, "a", "--beam", "0"}, 2, "--beam"},
           {{model, longer}, 3, "300 tokens, but at most 256 can be traced"},
           {{model, "a", "--reference", longer}, 3, "the reference has 300 tokens"},
           {{model, "a", "--svg", folder.path("nodir/a.svg")}, 4, "there is no folder"},
           {{folder.path("none"), "a"}, 3, "no such folder"}}) {
    std::vector<std::string> more(each.arguments.begin() + 1, each.arguments.end());
    const Outcome refused = inspect(each.arguments.front(), more);
    EXPECT_EQ(refused.code, each.code) << each.says << refused.err;
    EXPECT_TRUE(has(refused.err, each.says)) << refused.err;
    EXPECT_EQ(refused.out, "");
  }
  const Outcome lines = inspect(model, {}, "a b\nc d\n");
  EXPECT_EQ(lines.code, 3);
  EXPECT_TRUE(has(lines.err, "2 lines; to inspect each of them give --input -"));
}

TEST(Positions, AreDrawn) {
  const Folder folder;
  const std::string model = write_small_model(folder);
  const Outcome table = run_regard({"positions", "--model", model, "--json"});
  ASSERT_EQ(table.code, 0) << table.err;
  EXPECT_EQ(table.json()["rows"], 64);
  EXPECT_EQ(table.json()["cols"], 16);
  const Outcome scheme = run_regard(
      {"positions", "--scheme", "sinusoidal", "--length", "64", "--width", "16", "--json"});
  EXPECT_EQ(scheme.out, table.out);
  const std::string svg =
      run_regard({"positions", "--scheme", "sinusoidal", "--length", "8", "--svg", "-"}).out;
  EXPECT_TRUE(has(svg, "sinusoidal positions, 8 x 128"));
  EXPECT_TRUE(
      run_regard({"positions", "--scheme", "sinusoidal", "--png", "-"}).out.starts_with("\x89PNG"));
  EXPECT_TRUE(has(run_regard({"positions", "-m", model}).out, "position down, dimension across"));
  const Outcome rotary = run_regard({"positions", "--scheme", "rotary"});
  EXPECT_EQ(rotary.code, 0);
  EXPECT_TRUE(has(rotary.out, "adds nothing to embeddings"));
  EXPECT_EQ(run_regard({"positions", "--scheme", "rotary", "--svg", "-"}).code, 2);
  EXPECT_EQ(run_regard({"positions"}).code, 2);
  EXPECT_EQ(run_regard({"positions", "--scheme", "sinusoidal", "--width", "7"}).code, 2);
  const Outcome wrong = run_regard({"positions", "--scheme", "sinusoidel"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(has(wrong.err, "sinusoidal"));
}

TEST(Inspect, KeepsAccentsInAPipeUnlessTheLocaleNamesAnotherEncoding) {
  const Folder folder;
  const std::string model = write_small_model(folder, {.subwords = true});
  const auto shown = [&](const std::string& all, const std::string& type, const std::string& lang) {
    return run_regard({"inspect", "-m", model, "l'été"},
                      {.environment = {{"LC_ALL", all}, {"LC_CTYPE", type}, {"LANG", lang}}})
        .out;
  };
  for (const std::string locale : {"", "C", "POSIX", "C.UTF-8", "fr_FR.UTF-8", "fr_FR"}) {
    EXPECT_TRUE(has(shown(locale, "", ""), "source       l'été\n")) << locale;
    EXPECT_TRUE(has(shown(locale, "", ""), "target ↓  source →\n")) << locale;
  }
  EXPECT_TRUE(has(shown("", "", "fr_FR.ISO-8859-1"), "source       l'ete\n"));
  EXPECT_TRUE(has(shown("", "ru_RU.KOI8-R", ""), "source       l'ete\n"));
  EXPECT_TRUE(has(shown("C.UTF-8", "", "fr_FR.ISO-8859-1"), "source       l'été\n"));
}

TEST(Inspect, NamesItsColumnsAsTheFieldDoes) {
  const Folder folder;
  const std::string model = write_small_model(folder);
  const std::string text = inspect(model, {kText, "--head", "2.1"}).out;
  EXPECT_TRUE(has(text, "\ntoken "));
  EXPECT_TRUE(has(text, "runner-up"));
  EXPECT_TRUE(has(text, "aligned to\n"));
  EXPECT_TRUE(has(text, "\nhead  pattern "));
  EXPECT_TRUE(has(text, "  entropy\n"));
  EXPECT_TRUE(has(text, "cross-attention, layer 2, head 1: "));
  EXPECT_TRUE(has(text, ", entropy "));
  EXPECT_TRUE(has(inspect(model, {kText, "--kind", "decoder", "--head", "1.1"}).out,
                  "target ↓  decoder input →"));
}

}  // namespace
}  // namespace regard
