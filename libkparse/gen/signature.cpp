// SPDX-License-Identifier: MIT
#include <cctype>

#include "import.h"
#include "text.h"

namespace kschema {
namespace {

class SignatureReader {
 public:
  SignatureReader(std::string_view text, int version) : text_(text), version_(version) {}

  bool fields(std::vector<Field>& out) {
    do {
      Field f;
      f.versions = {version_, version_};
      if (take("@")) {
        const auto tag = number(word());
        if (!tag || !take("=")) return false;
        f.tag = static_cast<int>(*tag);
        f.tagged = f.versions;
      }
      f.name = lower_first(word());
      if (f.name.empty() || !take(":")) return false;
      f.array = take("[]");
      if (take("{")) {
        f.type = "struct";
        if (!fields(f.fields) || !take("}")) return false;
      } else {
        f.type = word();
        if (!known_type(f.type)) return false;
      }
      if (take("?")) f.nullable = f.versions;
      if (take("!noflex")) f.noflex = true;
      out.push_back(std::move(f));
    } while (take(","));
    return true;
  }

  bool at_end() const { return text_.empty(); }

 private:
  bool take(std::string_view what) {
    if (text_.substr(0, what.size()) != what) return false;
    text_.remove_prefix(what.size());
    return true;
  }
  std::string word() {
    std::size_t n = 0;
    while (n < text_.size() && std::isalnum(static_cast<unsigned char>(text_[n]))) ++n;
    std::string out(text_.substr(0, n));
    text_.remove_prefix(n);
    return out;
  }

  std::string_view text_;
  int version_;
};

}  // namespace

bool read_signature(std::string_view text, int version, std::vector<Field>& out) {
  SignatureReader reader(text, version);
  return reader.fields(out) && reader.at_end();
}

}  // namespace kschema
