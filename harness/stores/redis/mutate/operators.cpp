// What can be done wrong with the calls that were heard: one function for each group of operators.
//
// An operator that can change nothing at a site is not applied there: no option to lose, no lease in the
// words, one server only.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "harness/stores/redis/mutate/call_watch.h"
#include "harness/stores/redis/mutate/change.h"
#include "harness/stores/redis/mutate/script_text.h"
#include "harness/text/text_width.h"

namespace holdfast::redis {
namespace {

struct OptionOfSet {
  std::string_view word;
  bool has_value;
};
constexpr std::array options_of_set{OptionOfSet{"NX", false},     OptionOfSet{"XX", false},
                                    OptionOfSet{"PX", true},      OptionOfSet{"EX", true},
                                    OptionOfSet{"PXAT", true},    OptionOfSet{"EXAT", true},
                                    OptionOfSet{"KEEPTTL", false}};

std::string_view phase_text(CallPhase phase) {
  constexpr std::array<std::string_view, 3> texts{"an acquire", "a release", "a renewal"};
  return texts.at(static_cast<std::size_t>(phase));
}

class Operators {
 public:
  Operators(const std::vector<HeardSite>& sites, bool subscribes) : sites_(sites), subscribes_(subscribes) {}

  std::vector<StoreMutation> all() {
    for (std::size_t index = 0; index < sites_.size(); ++index) {
      if (sites_[index].good) {  // else it was never answered, and nobody knows what is usual
        at(index);
      }
    }
    if (subscribes_) {
      of_subscriptions();
    }
    return std::move(mutations_);
  }

 private:
  void at(std::size_t index) {
    const HeardSite& site = sites_[index];
    sending(site);
    order(site);
    words(site);
    answers(site);
    servers(site);
    if (site.phase == CallPhase::meanwhile) {
      renewals(site);
    }
    if (!site.script.empty()) {
      commands_in_script(site);
      conditions_in_script(site);
      whole_script(site);
    }
  }

  void sending(const HeardSite& site) {
    add(site, "not-sent", Wrong::not_sent, "{} is never sent, and taken for done",
        "what it does is done by something else, too", "anything that depends on what {} does");
    add(site, "sent-twice", Wrong::sent_twice, "{} is sent twice, and the first answer counts",
        "the second time it finds its work done and does nothing",
        "{} sent twice at a moment when others could come between");
    if (site.phase != CallPhase::meanwhile) {
      add(site, "sent-again", Wrong::sent_again, "{} is sent once more, word for word, if no answer came",
          "sent again it does what it did the first time, or nothing",
          "a lost answer to {} after which sending it again does harm");
    }
  }

  void order(const HeardSite& site) {
    for (const std::size_t next : site.followed_by) {
      if (sites_[next].place != site.place) {
        Change change = change_of(site, Wrong::sent_after_next);
        add(site, "after-" + sites_[next].place.substr(sites_[next].place.find(':') + 1), std::move(change),
            fmt::format("{} is sent after {} instead of before", named(site), named(sites_[next])),
            "the two do not touch each other",
            "anything that comes between the two, or that only the first has done");
        return;
      }
    }
  }

  void words(const HeardSite& site) {
    for (const OptionOfSet& option : options_of_set) {
      if (site.command == "SET" && std::ranges::count(site.words, option.word) > 0) {
        Change change = change_of(site, Wrong::option_lost);
        change.option = option.word;
        change.option_has_value = option.has_value;
        add(site, fmt::format("without-{}", option.word), std::move(change),
            fmt::format("{} is sent without {}", named(site), option.word),
            fmt::format("what {} asks for is so anyway", option.word),
            fmt::format("a moment at which {} decides", option.word));
      }
    }
    if (site.has_word_of_lease) {
      add(site, "lease-times-1000", Wrong::lease_longer, "{} asks for a lease a thousand times as long",
          "nobody waits for the lease to end",
          "a holder that dies, after which another waits for the lease of {} to end");
      add(site, "lease-by-1000", Wrong::lease_shorter, "{} asks for a thousandth of the lease",
          "the lease is set again at once",
          "work that is longer than a thousandth of the lease that {} sets");
    }
    if (site.has_name_of_thread) {
      add(site, "for-other-thread", Wrong::for_other_thread,
          "{} names the thread's neighbour instead of the thread itself",
          "the name is not compared with anything", "two threads of a process where {} tells them apart");
    }
  }

  void answers(const HeardSite& site) {
    const auto before = std::ranges::find_if(sites_, [&](const HeardSite& each) {
      return each.good && each.place != site.place && each.good->kind == site.good->kind &&
             *each.good != *site.good;
    });
    if (before != sites_.end()) {
      add(site, "answer-before", Wrong::answer_before, "the answer to the call before is read as that to {}",
          "both answers are the same, or nobody reads them",
          "two different answers after each other, the second to {}");
    }
    if (site.other) {
      const std::string name = named(site);
      add(site, site.other->is_nil() ? "nil-is-ok" : "refusal-is-ok", change_of(site, Wrong::refusal_granted),
          fmt::format("{} is read as if {} was always answered", name, shortened(to_text(*site.good), 30)),
          "nobody reads the answer", fmt::format("a moment at which {} is refused", name));
    }
    add(site, "error-is-ok", Wrong::error_granted,
        "no answer to {}, or an error, is taken for the usual answer",
        "nobody reads the answer, or what is lost is made up for", "a request of {} that is lost on its way");
    if (site.other && site.phase == CallPhase::acquire) {
      add(site, "error-is-refusal", Wrong::error_refused,
          "no answer to {}, or an error, is taken for a refusal",
          "who called would try again after an error, too",
          "{} carried out though its answer was lost, and who called going on at once");
    }
  }

  void servers(const HeardSite& site) {
    if (site.servers.size() > 1) {
      add(site, "only-first-server", Wrong::only_first_server, "{} goes to the first server only",
          "the others do not count", "servers that know different things after {}");
      add(site, "not-last-server", Wrong::not_last_server, "{} goes to all servers but the last",
          "one server less does not matter", "a run in which the last server decides after {}");
    }
  }

  void renewals(const HeardSite& site) {
    add(site, "late", Wrong::late, "{} is sent late, by seven tenths of a lease",
        "it is not needed before the lease ends", "work that goes on until shortly before {} is due");
    add(site, "once-too-often", Wrong::once_too_often, "{} is sent once more after a release",
        "the server sees that the lock is not held, and does nothing",
        "another holder at the moment when {} comes too late");
  }

  void commands_in_script(const HeardSite& site) {
    const std::vector<ScriptCommand> commands = commands_of(site.script);
    for (std::size_t index = 0; index < commands.size(); ++index) {
      const ScriptCommand& command = commands[index];
      if (!command.writes) {
        continue;
      }
      const std::string what = fmt::format("{} (command {} of {})", command.name, index + 1, named(site));
      add_script(site, fmt::format("command-{}-left-out", index + 1),
                 with_part(site.script, command.whole, command.is_statement ? "local _ = 0" : "1"),
                 fmt::format("{} is left out, and taken for done", what),
                 "what it does is done by something else, too",
                 fmt::format("anything that depends on {}", what));
      if (command.name == "SET") {
        options_in_script(site, command, index + 1);
      }
    }
  }

  void options_in_script(const HeardSite& site, const ScriptCommand& command, std::size_t number) {
    for (std::size_t index = 2; index < command.arguments.size(); ++index) {
      const ScriptPart argument = command.arguments[index];
      std::string word;
      for (const char c : site.script.substr(argument.begin, argument.end - argument.begin)) {
        word += c >= 'a' && c <= 'z'                ? static_cast<char>(c - 'a' + 'A')
                : c == '\'' || c == '"' || c == ' ' ? ' '
                                                    : c;
      }
      const std::size_t from = word.find_first_not_of(' ');
      word = from == std::string::npos ? "" : word.substr(from, word.find_last_not_of(' ') + 1 - from);
      const auto option = std::ranges::find(options_of_set, word, &OptionOfSet::word);
      if (option == options_of_set.end()) {
        continue;
      }
      const std::size_t last = std::min(index + (option->has_value ? 1U : 0U), command.arguments.size() - 1);
      const ScriptPart lost{command.arguments[index - 1].end, command.arguments[last].end};
      add_script(site, fmt::format("command-{}-without-{}", number, word), with_part(site.script, lost, ""),
                 fmt::format("SET (command {} of {}) is without {}", number, named(site), word),
                 fmt::format("what {} asks for is so anyway", word),
                 fmt::format("a moment at which {} decides", word));
    }
  }

  void conditions_in_script(const HeardSite& site) {
    const std::vector<ScriptCondition> conditions = conditions_of(site.script);
    for (std::size_t index = 0; index < conditions.size(); ++index) {
      const ScriptCondition& condition = conditions[index];
      const std::string text =
          site.script.substr(condition.whole.begin, condition.whole.end - condition.whole.begin);
      const std::string what = fmt::format("\"{}\" in {}", shortened(text, 60), named(site));
      const auto add_one = [&](std::string_view name, ScriptPart part, std::string_view instead,
                               std::string_view sentence) {
        add_script(site, fmt::format("if-{}-{}", index + 1, name), with_part(site.script, part, instead),
                   fmt::format("{} {}", what, sentence), "it is always so in whatever can happen",
                   fmt::format("a moment at which {} decides", what));
      };
      add_one("always", condition.whole, "true", "is taken for true");
      add_one("never", condition.whole, "false", "is taken for false");
      if (condition.left) {
        const auto part_of = [&](const ScriptPart& part) {
          return site.script.substr(part.begin, part.end - part.begin);
        };
        add_one("first-half", condition.whole, part_of(*condition.left), "is asked only in its first half");
        add_one("second-half", condition.whole, part_of(*condition.right),
                "is asked only in its second half");
      }
    }
  }

  void whole_script(const HeardSite& site) {
    if (const std::optional<std::string> cut = cut_script(site.script)) {
      Change change = change_of(site, Wrong::cut_script);
      change.script = *cut;
      add(site, "cut", std::move(change),
          fmt::format("{} is cut: it only looks, and what it would do is sent command by command",
                      named(site)),
          "nobody else does anything that changes what was seen",
          "anything that comes between two commands of this script");
    }
  }

  void of_subscriptions() {
    HeardSite site;
    site.phase = CallPhase::acquire;
    site.command = "SUBSCRIBE";
    site.place = "acquire:SUBSCRIBE";
    site.good = Reply::nil();
    add(site, "not-sent", Wrong::never_subscribed, "{} is never sent, so no message wakes a waiter",
        "a waiter looks again by itself before anybody minds",
        "a waiter that only a message can wake in time");
    add(site, "after-look", Wrong::subscribed_late, "{} is sent after the look instead of before it",
        "no release falls between the look and the subscription",
        "a release between the look and the subscription");
    add(site, "never-ended", Wrong::never_unsubscribed, "a waiter never unsubscribes",
        "a message that nobody waits for is nobody's",
        "a message that comes to a thread which waits no more");
  }

  static std::string named(const HeardSite& site) {
    const std::size_t dash = site.place.find('-');
    const std::string number = dash == std::string::npos ? "" : " " + site.place.substr(dash + 1);
    return fmt::format("{}{} of {}", site.command == "EVAL" ? "the script" : site.command, number,
                       phase_text(site.phase));
  }

  static Change change_of(const HeardSite& site, Wrong wrong) {
    Change change;
    change.wrong = wrong;
    change.site = site;
    change.usual = *site.good;
    change.refusal = site.other.value_or(Reply::nil());
    return change;
  }

  // In the sentences {} stands for the call.
  void add(const HeardSite& site, std::string_view operation, Wrong wrong, std::string_view sentence,
           std::string_view equivalent_if, std::string_view unexercised) {
    const std::string name = named(site);
    add(site, operation, change_of(site, wrong), fmt::format(fmt::runtime(sentence), name), equivalent_if,
        fmt::format(fmt::runtime(unexercised), name));
  }
  void add_script(const HeardSite& site, std::string_view operation, std::string script, std::string sentence,
                  std::string_view equivalent_if, std::string unexercised) {
    if (script == site.script) {
      return;
    }
    Change change = change_of(site, Wrong::other_script);
    change.script = std::move(script);
    add(site, operation, std::move(change), std::move(sentence), equivalent_if, std::move(unexercised));
  }
  void add(const HeardSite& site, std::string_view operation, Change change, std::string sentence,
           std::string_view equivalent_if, std::string unexercised) {
    StoreMutation mutation;
    mutation.words = {fmt::format("{}@{}", operation, site.place), std::move(sentence),
                      std::string(equivalent_if), std::move(unexercised)};
    mutation.change = make_change(std::move(change));
    mutations_.push_back(std::move(mutation));
  }

  const std::vector<HeardSite>& sites_;
  bool subscribes_;
  std::vector<StoreMutation> mutations_;
};

}  // namespace

std::vector<StoreMutation> mutations_at(const std::vector<HeardSite>& sites, bool subscribes) {
  return Operators(sites, subscribes).all();
}

}  // namespace holdfast::redis
