// SPDX-License-Identifier: MIT
#include "diff/compare.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

namespace kparse::diff {
namespace {

using Json = rapidjson::Value;
using Counts = std::map<std::string, double>;
constexpr double enough = 30;  ///< values below which a percentile says nothing
constexpr double slower = 2, much_slower = 5, larger = 1.5;

const Json& at(const Json& o, const char* name) {
  static const Json nothing;
  if (!o.IsObject()) return nothing;
  const auto it = o.FindMember(name);
  return it == o.MemberEnd() ? nothing : it->value;
}
double number(const Json& v) { return v.IsNumber() ? v.GetDouble() : 0; }
std::string text(const Json& v) {
  return v.IsString() ? std::string(v.GetString(), v.GetStringLength()) : std::string();
}

/// {"13":40} to counts.
Counts counts(const Json& o) {
  Counts out;
  if (o.IsObject())
    for (const auto& m : o.GetObject()) out[text(m.name)] = number(m.value);
  return out;
}

std::vector<std::string> names(const Counts& c) {
  std::vector<std::string> out;
  for (const auto& [name, n] : c)
    if (n > 0) out.push_back(name);
  return out;
}

/// Rows of an array by a name in them.
std::map<std::string, const Json*> rows(const Json& array, const char* key) {
  std::map<std::string, const Json*> out;
  if (array.IsArray())
    for (const Json& row : array.GetArray()) out.emplace(text(at(row, key)), &row);
  return out;
}

struct Comparer {
  std::vector<Difference> out;

  void add(std::string what, std::string path, Value before, Value after, Significance s) {
    out.push_back({std::move(what), std::move(path), std::move(before), std::move(after), s});
  }

  /// Two sets of names. Quite others: `all`; some of them: `some`.
  void sets(const std::string& what, const std::string& path, std::vector<std::string> a, std::vector<std::string> b,
            Significance all, Significance some) {
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    if (a == b) return;
    std::vector<std::string> common;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
    add(what, path, Value::of(std::move(a)), Value::of(std::move(b)), common.empty() ? all : some);
  }

  /// A number that grew or shrank by so many times.
  void ratio(const std::string& what, const std::string& path, double a, double b, double factor, double least,
             Significance s) {
    if (a <= 0 || b <= 0 || std::abs(a - b) < least) return;
    if (b / a >= factor || a / b >= factor) add(what, path, Value::of(a), Value::of(b), s);
  }

  void latency(const std::string& api, const Json& a, const Json& b) {
    if (number(at(a, "responses")) < enough || number(at(b, "responses")) < enough) return;
    for (const char* p : {"p50", "p99"}) {
      const double x = number(at(at(a, "latencyMs"), p)), y = number(at(at(b, "latencyMs"), p));
      const bool much = x > 0 && (y / x >= much_slower || x / y >= much_slower);
      ratio("latency", fmt::format("{}.{}", api, p), x, y, slower, 1, much ? Significance::medium : Significance::low);
    }
  }

  void errors(const std::string& api, const Json& a, const Json& b) {
    const Counts x = counts(at(a, "errors")), y = counts(at(b, "errors"));
    std::set<std::string> all;
    for (const auto& [name, n] : x) all.insert(name);
    for (const auto& [name, n] : y) all.insert(name);
    for (const std::string& name : all) {
      const auto i = x.find(name), j = y.find(name);
      const double p = i == x.end() ? 0 : i->second, q = j == y.end() ? 0 : j->second;
      const std::string path = fmt::format("{}.{}", api, name);
      if (p == 0 || q == 0) {
        add("error", path, Value::of(p), Value::of(q), q > 0 ? Significance::high : Significance::medium);
        continue;
      }
      // Shares of answers, with room for the scatter of rare events.
      const double m = std::max(1.0, number(at(a, "responses"))), n = std::max(1.0, number(at(b, "responses")));
      const double expected = (p + q) * n / (m + n);
      if (std::abs(q - expected) > 3 * std::sqrt(expected) + 1 && (q / n >= 2 * p / m || p / m >= 2 * q / n))
        add("error", path, Value::of(p), Value::of(q), Significance::low);
    }
  }

  void apis(const Json& a, const Json& b) {
    const auto x = rows(a, "api"), y = rows(b, "api");
    for (const auto& [name, row] : x)
      if (!y.contains(name))
        add("api", name, Value::of(number(at(*row, "requests"))), Value::of(0.0), Significance::high);
    for (const auto& [name, row] : y) {
      const auto it = x.find(name);
      if (it == x.end()) {
        add("api", name, Value::of(0.0), Value::of(number(at(*row, "requests"))), Significance::high);
        continue;
      }
      const Json& before = *it->second;
      sets("version", name, names(counts(at(before, "versions"))), names(counts(at(*row, "versions"))),
           Significance::high, Significance::medium);
      errors(name, before, *row);
      latency(name, before, *row);
      const auto mean = [](const Json& r, const char* bytes, const char* n) {
        return number(at(r, n)) > 0 ? number(at(r, bytes)) / number(at(r, n)) : 0;
      };
      const bool many = number(at(before, "requests")) >= enough && number(at(*row, "requests")) >= enough;
      if (many)
        ratio("size", name + ".request", mean(before, "requestBytes", "requests"),
              mean(*row, "requestBytes", "requests"), larger, 16, Significance::low);
    }
  }

  void named(const std::string& what, const Json& a, const Json& b, const char* key, Significance s) {
    std::set<std::string> x, y;
    for (const auto& [name, row] : rows(a, key)) x.insert(name);
    for (const auto& [name, row] : rows(b, key)) y.insert(name);
    for (const std::string& name : x)
      if (!y.contains(name)) add(what, name, Value::text("there"), Value::nothing(), s);
    for (const std::string& name : y)
      if (!x.contains(name)) add(what, name, Value::nothing(), Value::text("there"), s);
  }

  void clients(const Json& a, const Json& b) {
    const auto software = [](const Json& all) {
      std::set<std::string> found;
      if (all.IsArray())
        for (const Json& c : all.GetArray())
          if (const std::string name = text(at(c, "software")); !name.empty())
            found.insert(fmt::format("{} {}", name, text(at(c, "softwareVersion"))));
      return std::vector<std::string>(found.begin(), found.end());
    };
    sets("client", "software", software(a), software(b), Significance::medium, Significance::low);
  }

  void codecs(const Json& a, const Json& b) {
    const auto all = [](const Json& topics) {
      Counts found;
      if (topics.IsArray())
        for (const Json& t : topics.GetArray())
          for (const auto& [codec, n] : counts(at(t, "codecs"))) found[codec] += n;
      return names(found);
    };
    sets("codec", "batches", all(a), all(b), Significance::medium, Significance::low);
  }

  void loss(const Json& a, const Json& b) {
    for (const char* name : {"lostBytes", "unanswered", "undecoded", "oneWay", "crcBad"}) {
      const double x = number(at(a, name)), y = number(at(b, name));
      if ((x > 0) != (y > 0)) add("loss", name, Value::of(x), Value::of(y), Significance::low);
    }
  }

  void fields(const Profile& a, const Profile& b) {
    for (const auto& [key, y] : b.fields) {
      const auto it = a.fields.find(key);
      if (it == a.fields.end()) continue;  // another API or version: said already
      const FieldValues& x = it->second;
      if (x.more || y.more) continue;  // as many values as there is work
      sets("field", key.first + "." + key.second, {x.values.begin(), x.values.end()},
           {y.values.begin(), y.values.end()}, Significance::high, Significance::low);
    }
    // Fields of the same API that only one has: by version, or absent since tagged.
    const auto apis = [](const Profile& p) {
      std::set<std::string> found;
      for (const auto& [key, values] : p.fields) found.insert(key.first);
      return found;
    };
    const auto in_a = apis(a), in_b = apis(b);
    const auto only = [&](const Profile& p, const Profile& q, const std::set<std::string>& other, bool before) {
      for (const auto& [key, v] : p.fields) {
        if (q.fields.contains(key) || !other.contains(key.first)) continue;
        Value values = Value::of({v.values.begin(), v.values.end()});
        add("field", key.first + "." + key.second, before ? std::move(values) : Value::nothing(),
            before ? Value::nothing() : std::move(values), Significance::medium);
      }
    };
    only(a, b, in_b, true);
    only(b, a, in_a, false);
  }

  void starts(const Profile& a, const Profile& b) {
    const auto shown = [](const Profile& p) {
      std::vector<std::string> found;
      for (const auto& [calls, n] : p.starts) found.push_back(calls);
      return found;
    };
    sets("connect", "first calls of a connection", shown(a), shown(b), Significance::high, Significance::medium);
  }
};

}  // namespace

std::string_view name_of(Significance s) noexcept {
  switch (s) {
    case Significance::low:
      return "low";
    case Significance::medium:
      return "medium";
    case Significance::high:
      return "high";
  }
  return "";
}

Value Value::of(double v) {
  return {
      {v == std::floor(v) && std::abs(v) < 1e15 ? fmt::format("{:.0f}", v) : fmt::format("{:.3f}", v)}, true, false};
}

std::vector<Difference> compare(const Side& before, const Side& after) {
  Comparer c;
  c.apis(at(before.report, "apis"), at(after.report, "apis"));
  if (before.profile && after.profile) {
    c.fields(*before.profile, *after.profile);
    c.starts(*before.profile, *after.profile);
  }
  c.named("header", at(before.report, "headers"), at(after.report, "headers"), "name", Significance::medium);
  c.codecs(at(before.report, "topics"), at(after.report, "topics"));
  c.clients(at(before.report, "clients"), at(after.report, "clients"));
  c.loss(at(before.report, "seen"), at(after.report, "seen"));
  std::stable_sort(c.out.begin(), c.out.end(),
                   [](const Difference& a, const Difference& b) { return a.significance > b.significance; });
  return std::move(c.out);
}

}  // namespace kparse::diff
