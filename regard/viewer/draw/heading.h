#pragma once

#include <string>
#include <vector>

#include "regard/viewer/draw/canvas.h"

namespace regard {

/// Title and subtitle above a figure. What is longer than the page is wide continues in further
/// lines; what is longer than three lines is shortened in the last one.
class Heading {
 public:
  Heading() = default;
  Heading(const std::string& title, const std::string& subtitle);

  double widest() const;  ///< of title and subtitle, each in one line
  /// A small width in which they are broken but not shortened; the limit if there is none below it.
  double narrowest(double limit) const;
  void fit(double room);  ///< breaks them into lines of at most that width
  double height() const;  ///< with the gap below; 0 if there is nothing
  void draw(Canvas& canvas, Point corner) const;

 private:
  struct Line {
    std::string text;
    bool is_title;
  };
  std::string title_, subtitle_;
  std::vector<Line> lines_;
};

}  // namespace regard
