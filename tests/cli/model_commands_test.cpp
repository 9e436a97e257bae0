// average, convert, info, completion, and evaluate with a model.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "regard/cli/command.h"
#include "tests/cli/support/small_model.h"

namespace regard {
namespace {

using testing::Folder;
using testing::lines_of;
using testing::Outcome;
using testing::run_regard;
using testing::write_small_model;

TEST(AverageCommand, IsTheMeanOfTheNewest) {
  const Folder folder;
  const std::string run = write_small_model(folder);
  std::filesystem::create_directories(run + "/best");
  const auto keep = [&](int step, std::uint64_t seed) {
    write_small_model(folder, {.seed = seed}, "other");
    std::filesystem::copy_file(folder.path("other/model.safetensors"),
                               run + "/best/step-" + std::to_string(step) + ".safetensors");
  };
  keep(9, 3);
  keep(100, 4);  // newer, though its name sorts before
  folder.write("m/best/step-x.safetensors", "not weights");
  const auto average = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"average", "--model", run});
    return run_regard(more);
  };
  Outcome outcome = average({"--last", "1", "--out", folder.path("one")});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(folder.read("one/model.safetensors"), folder.read("other/model.safetensors"));
  outcome = average({"--out", folder.path("all")});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(lines_of(outcome.out).size(), 3u);

  const auto value = [&](const std::string& name) {
    const LoadedModel loaded = load_model(folder.path(name));
    return parameters_of(*loaded.model).front().parameter.value().values();
  };
  write_small_model(folder, {.seed = 3}, "three");
  const auto mean = value("all"), first = value("three"), second = value("other");
  for (std::size_t i = 0; i < mean.size(); ++i)
    EXPECT_NEAR(mean[i], (first[i] + second[i]) / 2, 1e-6);
  EXPECT_EQ(folder.read("all/config.json"), folder.read("m/config.json"));
  EXPECT_EQ(run_regard({"translate", "-m", folder.path("all")}, {.input = "a\n"}).code, 0);

  EXPECT_EQ(average({"--out", folder.path("all")}).code, 2);
  std::filesystem::create_directories(folder.path("mine"));
  folder.write("mine/source.tokens", "mine");
  EXPECT_EQ(average({"--out", folder.path("mine")}).code, 2);
  EXPECT_EQ(folder.read("mine/source.tokens"), "mine");
  EXPECT_EQ(average({"--out", run, "--overwrite"}).code, 2);
  EXPECT_EQ(average({}).code, 2);
  EXPECT_EQ(average({"--last", "0", "--out", folder.path("x")}).code, 2);
  EXPECT_EQ(average({folder.path("absent"), "--out", folder.path("x")}).code, 3);
  outcome = run_regard({"average", run, "--out", folder.path("x")});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("--model " + run), std::string::npos) << outcome.err;
  const Outcome none =
      run_regard({"average", "-m", folder.path("other"), "--out", folder.path("x")});
  EXPECT_EQ(none.code, 3);
  EXPECT_NE(none.err.find("best: no step-N.safetensors to average; name files"), std::string::npos)
      << none.err;
  EXPECT_FALSE(std::filesystem::exists(folder.path("x")));
}

TEST(ModelCommands, LeaveNoExamplesOfAnotherModelBehind) {
  const Folder folder;
  const std::string model = write_small_model(folder), weights = model + "/model.safetensors";
  for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
           {"average", "-m", model, weights}, {"convert", "--to", "int8", "-m", model}}) {
    SCOPED_TRACE(command[0]);
    folder.write("m/examples.json", R"({"schema":1,"examples":["a b"]})");
    std::vector<std::string> arguments = command;
    arguments.insert(arguments.end(), {"--out", folder.path("out"), "--overwrite"});
    const Outcome made = run_regard(arguments);
    EXPECT_EQ(made.code, 0) << made.err;
    EXPECT_NE(folder.read("out/examples.json").find("a b"), std::string::npos);
    std::filesystem::remove(model + "/examples.json");
    const Outcome other = run_regard(arguments);
    EXPECT_EQ(other.code, 0) << other.err;
    EXPECT_EQ(folder.read("out/examples.json"), "{\"schema\":1,\"examples\":[]}\n");
  }
}

TEST(ConvertCommand, WritesAllOrNothing) {
  const Folder folder;
  const std::string model = write_small_model(folder);
  const auto convert = [&](std::vector<std::string> more) {
    more.insert(more.begin(), "convert");
    return run_regard(more);
  };
  const Outcome made = convert({"--to", "ctranslate2", model, "--out", folder.path("new/ct2")});
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_EQ(lines_of(made.out).size(), 1u);
  for (const char* name : {"model.bin", "config.json", "source_vocabulary.json", "target.tokens"})
    EXPECT_TRUE(std::filesystem::exists(folder.path("new/ct2/") + name)) << name;
  const std::string again = folder.path("new/ct2");
  EXPECT_EQ(convert({"--to", "ctranslate2", model, "--out", again}).code, 2);
  EXPECT_EQ(convert({"--to", "ctranslate2", "-m", model, "--out", again, "--overwrite"}).code, 0);
  EXPECT_EQ(convert({"--to", "ctranslate2", model, "--out", model, "--overwrite"}).code, 2);

  const std::string x = folder.path("x");
  EXPECT_EQ(convert({"--to", "ctranslate2", model}).code, 2);
  EXPECT_EQ(convert({model, "--out", x}).code, 2);
  EXPECT_EQ(convert({"--to", "ctranslate2", "-m", model, model, "--out", x}).code, 2);
  EXPECT_EQ(convert({"--to", "ctranslate2", folder.path("absent"), "--out", x}).code, 3);
  const Outcome unknown = convert({"--to", "ctranslate", model, "--out", x});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_NE(unknown.err.find("did you mean 'ctranslate2'?"), std::string::npos) << unknown.err;
  const std::string gru = write_small_model(folder, {.architecture = "bahdanau"}, "gru");
  const Outcome refused = convert({"--to", "ctranslate2", gru, "--out", x});
  EXPECT_EQ(refused.code, 3);
  EXPECT_NE(refused.err.find("architecture bahdanau"), std::string::npos) << refused.err;
  EXPECT_FALSE(std::filesystem::exists(x));
}

TEST(ConvertCommand, MakesInt8WithAReceipt) {
  const Folder folder;
  const std::string model = write_small_model(folder);
  folder.write("a", "a b\nb\n");
  folder.write("b", "A B\nB\n");
  folder.write("one", "A\n");
  const auto convert = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"convert", "--to", "int8", model});
    return run_regard(more);
  };
  const std::string out = folder.path("i8");
  const Outcome made = convert({"--out", out, "--receipt", folder.path("a"), folder.path("b")});
  ASSERT_EQ(made.code, 0) << made.err;
  for (const char* said : {"size", "error", "2 lines", "BLEU", "chrF2", "time"})
    EXPECT_NE(made.out.find(said), made.out.npos) << made.out;
  const auto receipt = nlohmann::json::parse(folder.read("i8/receipt.json"));
  EXPECT_GT(receipt["bytes"]["before"], receipt["bytes"]["after"]);
  EXPECT_GT(receipt["layers"].size(), 4u);
  for (const auto& layer : receipt["layers"])
    for (const char* error : {"weight_error", "output_error"}) {
      EXPECT_GT(layer[error], 0) << layer;
      EXPECT_LT(layer[error], 0.03) << layer;
    }
  EXPECT_TRUE(receipt["text"]["bleu"].contains("after"));

  for (const char* command : {"translate", "score", "inspect"})
    EXPECT_EQ(run_regard({command, "-m", out},
                         {.input = command == std::string("score") ? "a\tA\n" : "a\n"})
                  .code,
              0)
        << command;
  EXPECT_NE(run_regard({"info", out}).out.find("int8"), std::string::npos);
  EXPECT_EQ(run_regard({"convert", "--to", "int8", out, "--out", folder.path("x")}).code, 3);
  EXPECT_EQ(convert({"--out", out}).code, 2);
  EXPECT_EQ(convert({"--out", folder.path("x"), "--receipt", folder.path("a")}).code, 2);
  EXPECT_EQ(
      convert({"--out", folder.path("x"), "--receipt", folder.path("a"), folder.path("one")}).code,
      3);
  EXPECT_EQ(run_regard({"convert", "--to", "ctranslate2", model, "--out", folder.path("x"),
                        "--receipt", folder.path("a"), folder.path("b")})
                .code,
            2);
  EXPECT_FALSE(std::filesystem::exists(folder.path("x")));
}

TEST(ConvertCommand, NamesTheFolderThatHasNoSuchForm) {
  const Folder folder;
  const std::string model = write_small_model(folder, {.architecture = "bahdanau"});
  const Outcome refused =
      run_regard({"convert", "--to", "ctranslate2", model, "--out", folder.path("x")});
  EXPECT_EQ(refused.code, 3);
  EXPECT_NE(refused.err.find(model + ": a model with"), std::string::npos) << refused.err;
  EXPECT_FALSE(std::filesystem::exists(folder.path("x")));
}

TEST(InfoCommand, ShowsTheCard) {
  const Folder folder;
  for (const char* architecture : {"transformer", "bahdanau"}) {
    const std::string model = write_small_model(folder, {.architecture = architecture});
    const Outcome outcome = run_regard({"info", model, "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto about = outcome.json();
    EXPECT_EQ(about["schema"], 1);
    EXPECT_EQ(about["format"], kModelFormat);
    EXPECT_EQ(about["model"]["architecture"], architecture);
    EXPECT_EQ(about["from"], "en");
    EXPECT_EQ(about["hash"].get<std::string>().size(), 16u);
    Index sum = 0;
    for (const char* part : {"encoder", "decoder", "embeddings"})
      EXPECT_GT(about["parts"][part], 0) << part;
    for (const auto& [part, count] : about["parts"].items()) sum += count.get<Index>();
    EXPECT_EQ(about["parameters"], sum);
    EXPECT_EQ(about["files"]["model.safetensors"],
              std::filesystem::file_size(folder.path("m/model.safetensors")));
    const std::string text = run_regard({"info", "--model", model}).out;
    const bool heads = about["model"]["architecture"] == "transformer";
    EXPECT_EQ(text.find("heads") != text.npos, heads) << text;
    EXPECT_EQ(text.find("positions") != text.npos, heads) << text;
    EXPECT_EQ(about["model"].contains("heads"), heads);
    for (const std::string& said : {std::string(architecture), about["hash"].get<std::string>(),
                                    std::string("en to fr"), std::string("embeddings")})
      EXPECT_NE(text.find(said), std::string::npos) << said;
    const auto other =
        run_regard({"info", write_small_model(folder, {architecture, "none", 512, 2}), "--json"});
    EXPECT_NE(other.json()["hash"], about["hash"]);
  }
  EXPECT_EQ(run_regard({"info", folder.path("absent")}).code, 3);
}

TEST(CompletionCommand, KnowsEveryCommandAndOption) {
  const Folder folder;
  for (const std::string shell : {"bash", "zsh", "fish"}) {
    const Outcome script = run_regard({"completion", shell});
    ASSERT_EQ(script.code, 0) << script.err;
    for (const Command* command : all_commands())
      EXPECT_NE(script.out.find(std::string(command->name)), std::string::npos) << command->name;
    for (const char* option : {"n-best", "valid-lens", "per-token", "threads", "alignment-ref"})
      EXPECT_NE(script.out.find(option), std::string::npos) << shell << option;
    const std::string file = folder.write("script." + shell, script.out);
    const bool here = std::system(("command -v " + shell + " >/dev/null").c_str()) == 0;
    EXPECT_TRUE(!here || std::system((shell + " -n '" + file + "'").c_str()) == 0) << shell;
  }
  const auto completed = [&](const std::string& words) {
    const std::string ask = "cd '" + folder.path("") + "' && bash -c \"source script.bash; " +
                            "COMP_WORDS=(" + words +
                            "); COMP_CWORD=\\$((\\${#COMP_WORDS[@]}-1)); " +
                            "_regard; echo \\\"\\${COMPREPLY[@]}\\\"\" >reply";
    EXPECT_EQ(std::system(ask.c_str()), 0);
    return folder.read("reply");
  };
  EXPECT_EQ(completed("regard translate --n"), "--n-best\n");
  EXPECT_EQ(completed("regard attend --score sc"), "scaled-dot\n");
  EXPECT_EQ(completed("regard positions --scheme ali"), "alibi\n");
  EXPECT_EQ(completed("regard train --preset ''"), "tiny small base big\n");
  EXPECT_EQ(completed("regard convert --to in"), "int8\n");
  EXPECT_EQ(completed("regard evaluate --hyp be"), "\n") << "bash completes files itself";
  std::filesystem::create_directory(folder.path("my runs"));
  EXPECT_EQ(completed("regard translate --model my"), "my runs\n");
  EXPECT_EQ(completed("regard translate --beam ''"), "\n");
  EXPECT_EQ(completed("regard completion f"), "fish\n");
  EXPECT_EQ(completed("regard help eva"), "evaluate\n");
  EXPECT_EQ(run_regard({"completion"}).code, 2);
  EXPECT_NE(
      run_regard({"completion", "zhs"}).err.find("did you mean 'zsh'? known: bash, zsh, fish"),
      std::string::npos);
}

TEST(EvaluateCommand, TranslatesFirstWhereAModelIsGiven) {
  const Folder folder;
  const std::string model = write_small_model(folder), source = "a b c d e\nthe cat sleeps .\n";
  const Outcome said = run_regard({"translate", "-m", model}, {.input = source});
  const std::string ref = folder.write("ref", said.out), src = folder.write("src", source);
  const Outcome same = run_regard({"evaluate", "-m", model, "--src", src, "--ref", ref, "--json"});
  ASSERT_EQ(same.code, 0) << same.err;
  EXPECT_NEAR(same.json()["scores"][0]["score"], 100, 1e-9);
  EXPECT_EQ(run_regard({"evaluate", "-m", model, "--ref", ref, "--json"}, {.input = source}).out,
            same.out);
  const std::vector<std::pair<std::string, std::string>> short_ones{
      {"REGARD_DECODE_MAX_LENGTH", "1"}};
  EXPECT_NE(run_regard({"evaluate", "-m", model, "--src", src, "--ref", ref, "--json"},
                       {.environment = short_ones})
                .out,
            same.out);
  EXPECT_EQ(run_regard({"evaluate", "-m", model, "--hyp", ref, "--ref", ref}).code, 2);
  EXPECT_EQ(run_regard({"evaluate", "--src", src, "--ref", ref}).code, 2);
  EXPECT_EQ(run_regard({"evaluate", "-m", model, "--src", src}).code, 2);
  EXPECT_EQ(
      run_regard({"evaluate", "-m", model, "--src", folder.write("s", "a\n"), "--ref", ref}).code,
      3);
}

}  // namespace
}  // namespace regard
