#include "regard/cli/matrix/json.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "regard/base/nearest.h"
#include "regard/config/json.h"

namespace regard {
namespace {

constexpr std::array<std::string_view, 3> kNames{"query", "key", "value"};

/// Takes the parser's events one by one, so that a bad place is named when it is met and nothing is
/// built of a document that is too deep or repeats a name.
class Reader final : public JsonEvents {
 public:
  Reader(std::string_view text, const InputSource& source) : text_(text), source_(source) {}

  Matrices take() { return std::move(found_); }

  bool start_object(std::size_t) override {
    if (in_object_ || depth_ > 0) blame("expected a number, got an object");
    return in_object_ = true;
  }
  bool key(string_t& name) override {
    if (std::ranges::find(kNames, name) == kNames.end())
      fail_at(source_, 0, "holds '", name.substr(0, 40), "'", did_you_mean(name, kNames));
    if (place(name)) fail_at(source_, 0, "holds '", name, "' twice");
    name_ = name;
    return true;
  }
  bool end_object() override {
    if (!found_.query) fail_at(source_, 0, "holds no 'query', the matrix that attends");
    return true;
  }

  bool start_array(std::size_t) override {
    if (depth_ == kDeepest) blame("nests arrays too deep; expected rows, or batches of rows");
    count_[depth_++] = 0;
    return true;
  }
  bool end_array() override {
    --depth_;
    const Index count = count_[depth_];
    if (count == 0) blame(depth_ == 0 ? "is empty" : "is an empty array", ", expected numbers");
    if (size_[depth_] == 0) size_[depth_] = count;
    if (size_[depth_] != count)
      blame("has ", count, count == 1 ? " entry" : " entries", ", the one before it ",
            size_[depth_], "; all rows of a matrix are of one length");
    if (depth_ == 0)
      finish();
    else
      ++count_[depth_ - 1];
    return true;
  }

  bool number_integer(number_integer_t x) override { return number(static_cast<double>(x)); }
  bool number_unsigned(number_unsigned_t x) override { return number(static_cast<double>(x)); }
  bool number_float(number_float_t x, const string_t&) override { return number(x); }
  bool null() override { return refuse("null"); }
  bool boolean(bool x) override { return refuse(x ? "true" : "false"); }
  bool string(string_t&) override { return refuse("text"); }
  bool binary(binary_t&) override { return refuse("bytes"); }

  bool parse_error(std::size_t byte, const std::string&,
                   const nlohmann::json::exception& error) override {
    if (error.id == 406) blame("is a number beyond the range of f64");
    const std::string_view before = text_.substr(0, byte > 0 ? byte - 1 : 0);
    const Index line = 1 + std::ranges::count(before, '\n');
    fail_at(source_, line, "not JSON: unexpected ",
            byte > text_.size() ? "end" : "'" + std::string(text_.substr(byte - 1, 1)) + "'",
            " at byte ", byte);
  }

 private:
  static constexpr int kDeepest = 3;

  bool number(double x) {
    if (depth_ < 2)
      blame("is a number where an array of them is expected; a matrix is written [[1, 2], [3, 4]]");
    if (rank_ == 0) rank_ = depth_;
    if (rank_ != depth_) blame("lies ", depth_, " arrays deep, the first number ", rank_);
    numbers_.push_back(x);
    ++count_[depth_ - 1];
    return true;
  }

  bool refuse(std::string_view got) {
    blame("is ", got, ", expected a number");
    return false;
  }

  /// "m.json: key, batch 1, row 2, column 3 ..." for where the parser stands now.
  template <class... Parts>
  [[noreturn]] void blame(const Parts&... parts) const {
    std::string at = name_.empty() ? "" : name_ + ", ";
    const int shown = std::max(2, rank_ ? rank_ : depth_);
    constexpr std::array<std::string_view, 3> kAxes{"batch", "row", "column"};
    for (int level = 0; level < depth_ && level < kDeepest; ++level)
      at += std::string(kAxes[static_cast<std::size_t>(std::min(level + 3 - shown, 2))]) + ' ' +
            std::to_string(count_[level] + 1) + (level + 1 < depth_ ? ", " : " ");
    fail_at(source_, 0, at, parts...);
  }

  std::optional<Tensor>& place(std::string_view name) {
    return name == "key" ? found_.key : name == "value" ? found_.value : found_.query;
  }

  void finish() {
    const Shape shape =
        rank_ == 2 ? Shape{size_[0], size_[1]} : Shape{size_[0], size_[1], size_[2]};
    place(name_) = Tensor::of(shape, numbers_, Dtype::f64);
    numbers_.clear();
    size_ = {};
    rank_ = 0;
  }

  std::string_view text_;
  const InputSource& source_;
  Matrices found_;
  bool in_object_ = false;
  std::string name_;  ///< of the matrix being read; empty if there is one alone
  std::vector<double> numbers_;
  int depth_ = 0, rank_ = 0;
  std::array<Index, kDeepest + 1> count_{}, size_{};
};

}  // namespace

Matrices parse_json_matrices(std::string_view text, const InputSource& source) {
  Reader reader(text, source);
  parse_json(text, source.name, reader);
  return reader.take();
}

}  // namespace regard
