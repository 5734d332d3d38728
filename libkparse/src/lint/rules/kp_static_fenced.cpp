// SPDX-License-Identifier: MIT
#include "lint/rule.h"

namespace kparse::lint {
namespace {

constexpr std::int16_t fenced_instance_id = 82;

class StaticFenced final : public Rule {
 public:
  using Rule::Rule;

  void begin_response(const Conn&, const Response&) override {
    fenced_ = false;
    group_.clear();
    instance_.clear();
  }

  void on_error(const ErrorSeen& e) override {
    if (e.code != fenced_instance_id) return;
    fenced_ = true;
    if (group_.empty()) group_ = e.group;
  }

  void on_group_answer(const GroupCall& asked, const GroupAnswer& a) override {
    if (!asked.instance.empty()) instance_ = asked.instance;
    for (const GroupMember& m : a.members)
      if (m.error == fenced_instance_id && !m.instance.empty()) instance_ = m.instance;
    group_ = asked.group;
  }
  void on_offset_commit(const OffsetCommit& o) override {
    if (!o.instance.empty()) instance_ = o.instance;
    group_ = o.group;
  }

  void end_response(const Conn&, const Response&, const Error&) override {
    if (!fenced_) return;
    fenced_ = false;
    hit({.group = group_, .cause = instance_}, [&](Text& t) {
      t << Quoted{group_} << ": instance " << Quoted{instance_.empty() ? "?" : std::string_view(instance_)}
        << " was taken over by another member.";
    });
  }

 private:
  bool fenced_ = false;
  std::string group_, instance_;
};

}  // namespace

KPARSE_RULE(
    kp_static_fenced, StaticFenced, .id = "KP-STATIC-FENCED", .severity = Severity::error, .scope = RuleScope::group,
    .condition =
        "An answer has FENCED_INSTANCE_ID (82). A static member that comes back while its place is free gets none.",
    .why = "Two processes run with the same group.instance.id.", .fix = "Give each process an id of its own.",
    .example = "g: instance i-1 was taken over by another member.", .sources = "KIP-345");

}  // namespace kparse::lint
