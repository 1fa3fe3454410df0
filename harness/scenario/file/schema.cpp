#include "harness/scenario/file/schema.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "faults/catalog.h"
#include "harness/check/catalog.h"
#include "harness/scenario/file/load_faults.h"
#include "harness/scenario/file/option_text.h"
#include "harness/scenario/file/schema_frame.h"
#include "harness/stores/store.h"

namespace holdfast {
namespace {

using SchemaJson = nlohmann::ordered_json;
using Words = std::vector<std::string>;

constexpr std::size_t widest_line = 118;

SchemaJson reference(std::string_view name) {
  return {{"$ref", fmt::format("#/$defs/{}", name)}};
}

SchemaJson values_schema(const Option& option) {
  const Words words(option.words.begin(), option.words.end());
  switch (option.kind) {
    case OptionKind::count: {
      SchemaJson json{{"type", "integer"}, {"minimum", option.least}, {"maximum", option.most}};
      if (!option.why_not_zero.empty()) {
        json["not"] = {{"const", 0}};
      }
      return json;
    }
    case OptionKind::word:
      return {{"enum", words}};
    case OptionKind::processes:
      return {{"anyOf", {reference("process"), {{"enum", words}}}}};
    case OptionKind::thread:
      return reference("thread");
    case OptionKind::signed_duration:
      return reference("signed_duration");
    case OptionKind::positive_duration:
      return reference("positive_duration");
    case OptionKind::duration:
      break;
  }
  return reference("duration");
}

SchemaJson option_schema(const Option& option) {
  SchemaJson json = values_schema(option);
  if (option.kind == OptionKind::count && !option.is_required) {
    json["default"] = option.usual_count;
  } else if (option.kind != OptionKind::thread && !option.is_required) {
    json["default"] = value_text(usual_value(option));
  }
  json["description"] =
      option.only.empty() ? std::string(option.meaning) : fmt::format("{}; {}", option.meaning, option.only);
  return json;
}

SchemaJson options_schema(std::span<const Option> options) {
  SchemaJson json = SchemaJson::object();
  for (const Option& option : options) {
    json[std::string(option.name)] = option_schema(option);
  }
  return json;
}

// The stores, then what every topology has, and at last what stood there itself in older files.
SchemaJson topology_schema(const SchemaJson& of_all) {
  SchemaJson json = SchemaJson::object();
  SchemaJson of_old = SchemaJson::object();
  for (const Store* const store : all_stores()) {
    for (const Option& option : store->options()) {
      if (option.stood_in_topology) {
        of_old[std::string(option.name)] = values_schema(option);
        of_old[std::string(option.name)]["deprecated"] = true;
      }
    }
    if (!store->options().empty()) {
      json[std::string(store->id())] = {{"type", "object"},
                                        {"additionalProperties", false},
                                        {"description", fmt::format("Of the {} servers.", store->title())},
                                        {"properties", options_schema(store->options())}};
    }
  }
  json.update(of_all);
  json.update(of_old);
  return json;
}

// Of the present form: without what stood there itself in older files.
SchemaJson topology_names() {
  SchemaJson names = SchemaJson::array();
  for (const Store* const store : all_stores()) {
    if (!store->options().empty()) {
      names.push_back(store->id());
    }
  }
  names.insert(names.end(), {"token_checking", "latency"});
  return {{"propertyNames", {{"enum", std::move(names)}}}};
}

// What of an option is refused elsewhere than at a step of a call.
SchemaJson only_at_a_call(const Option& option) {
  const std::string name(option.name);
  const SchemaJson not_usual{{"not", {{"const", value_text(usual_value(option))}}}};
  return {{"if", {{"required", {name}}, {"properties", {{name, not_usual}}}}},
          {"then", {{"properties", {{"at", reference("of_a_call")}}}}}};
}

// A step that has one of these phases, or may have it.
SchemaJson only_at(const Words& phases) {
  const SchemaJson phase{{"required", {"phase"}}, {"properties", {{"phase", {{"enum", phases}}}}}};
  return {{"properties", {{"at", {{"anyOf", {phase, {{"required", {"step"}}}}}}}}}};
}

// Of a sweep, where a phase stands alone.
SchemaJson only_swept_at(const Words& phases) {
  const SchemaJson alone{{"required", {"phase"}}, {"maxProperties", 1}};
  return {{"if", {{"required", {"at"}}, {"properties", {{"at", alone}}}}},
          {"then", {{"properties", {{"at", {{"properties", {{"phase", {{"enum", phases}}}}}}}}}}}};
}

// Whom it strikes, and at which steps, where not every one will do.
SchemaJson places_schema(const FaultEntry& entry) {
  SchemaJson rules = SchemaJson::array();
  if (!entry.strikes_clients || !entry.strikes_servers) {
    const std::string_view one = entry.strikes_clients ? "client" : "member";
    const std::string_view all = entry.strikes_clients ? "clients" : "servers";
    rules.push_back({{"properties", {{"on", {{"anyOf", {reference(one), {{"const", all}}}}}}}}});
  }
  if (!entry.store.empty()) {
    rules.push_back({{"properties", {{"on", {{"pattern", fmt::format("^({}.*|servers)$", entry.store)}}}}}});
  }
  rules.push_back(only_swept_at(swept_phases(entry)));
  if (entry.strikes_requests) {
    rules.push_back(only_at({"sending", "arrived"}));
  }
  if (entry.strikes_answers) {
    rules.push_back(only_at({"applied"}));
  }
  if (entry.strikes_threads) {
    const SchemaJson of_another{{"anyOf", {{{"required", {"time"}}}, {{"required", {"server"}}}}}};
    rules.push_back({{"properties", {{"at", {{"not", of_another}}}}}});
  }
  if (entry.lasting == Lasting::unless_a_message) {
    rules.push_back({{"anyOf",
                      {{{"required", {"for"}}},
                       {{"required", {"until"}}},
                       {{"properties", {{"at", reference("of_a_call")}}}}}}});
  }
  for (const Option& option : entry.options) {
    if (option.kind == OptionKind::thread) {
      rules.push_back({{"dependentSchemas",
                        {{std::string(option.name), {{"properties", {{"on", reference("client")}}}}}}}});
    }
    if (option.needs_a_call) {
      rules.push_back(only_at_a_call(option));
    }
  }
  return rules;
}

SchemaJson fault_schema(const FaultEntry& entry) {
  SchemaJson then{{"description", entry.summary}};
  SchemaJson required = SchemaJson::array();
  for (const Option& option : entry.options) {
    if (option.is_required) {
      required.push_back(option.name);
    }
  }
  const Words lasting = lasting_words(entry);
  if (lasting.size() == 1) {
    required.push_back(lasting.front());
  } else if (!lasting.empty() && entry.lasting != Lasting::unless_a_message) {
    then["anyOf"] = {{{"required", {lasting[0]}}}, {{"required", {lasting[1]}}}};
  }
  if (!required.empty()) {
    then["required"] = std::move(required);
  }
  if (!entry.options.empty()) {
    then["properties"] = options_schema(entry.options);
  }
  then["propertyNames"] = {{"enum", words_of(entry)}};
  if (SchemaJson places = places_schema(entry); !places.empty()) {
    then["allOf"] = std::move(places);
  }
  return {{"if", {{"properties", {{"fault", {{"const", entry.id}}}}}}}, {"then", std::move(then)}};
}

void put_names(SchemaJson& definitions) {
  Words ids;
  Words calls;
  Words call_patterns;
  std::int64_t most_replicas = 0;
  for (const Store* const store : all_stores()) {
    if (store->has_servers()) {
      ids.emplace_back(store->id());
      calls.emplace_back(store->call_name_text());
      call_patterns.emplace_back(store->call_name_pattern());
    }
    if (store->replicas() != nullptr) {
      most_replicas = std::max(most_replicas, store->replicas()->most);
    }
  }
  const std::string stores = fmt::format("{}", fmt::join(ids, "|"));
  const std::string replica =
      most_replicas == 0 ? "" : fmt::format("(-[b-{}])?", static_cast<char>('a' + most_replicas));
  const std::string member = fmt::format("({})(-[1-9])?{}", stores, replica);
  definitions["client"]["not"]["pattern"] =
      fmt::format("^(({}).*|storage|all|clients|servers|world)$", stores);
  definitions["server"]["pattern"] = fmt::format("^(storage|{})$", member);
  definitions["member"]["pattern"] = fmt::format("^{}$", member);
  definitions["command"]["pattern"] = fmt::format("^(read|write|{})$", fmt::join(call_patterns, "|"));
  definitions["command"]["description"] =
      fmt::format("{}, or storage's \"read\" or \"write\".", fmt::join(calls, ", "));
}

std::string key_text(const SchemaJson& json, const SchemaJson::const_iterator& part) {
  return json.is_object() ? fmt::format("{}: ", SchemaJson(part.key()).dump()) : std::string();
}

std::string on_one_line(const SchemaJson& json) {
  if (!json.is_structured()) {
    return json.dump(-1, ' ', false, SchemaJson::error_handler_t::replace);
  }
  std::string parts;
  for (auto part = json.begin(); part != json.end(); ++part) {
    parts += (parts.empty() ? "" : ", ") + key_text(json, part) + on_one_line(*part);
  }
  return json.is_object() ? "{" + parts + "}" : "[" + parts + "]";
}

// On one line if there is room behind what stands there already, else with a line for each part.
std::string laid_out(const SchemaJson& json, std::size_t indent, std::size_t before) {
  std::string line = on_one_line(json);
  if (!json.is_structured() || before + line.size() < widest_line) {
    return line;
  }
  const std::string margin(indent + 2, ' ');
  std::string parts;
  for (auto part = json.begin(); part != json.end(); ++part) {
    const std::string start = margin + key_text(json, part);
    parts += (parts.empty() ? "" : ",\n") + start + laid_out(*part, margin.size(), start.size());
  }
  return line.front() + ("\n" + parts + "\n") + std::string(indent, ' ') + line.back();
}

}  // namespace

std::string scenario_schema_text() {
  SchemaJson schema = SchemaJson::parse(schema_frame);
  SchemaJson& topology = schema["properties"]["topology"]["properties"];
  topology = topology_schema(topology);
  schema["allOf"][0]["then"]["properties"]["topology"] = topology_names();
  // The ids, and the names by which older files call them.
  for (const CheckRow& row : check_catalog()) {
    SchemaJson& known = schema["properties"]["properties"]["items"]["enum"];
    known.push_back(row.id);
    if (row.name != row.id) {
      known.push_back(row.name);
    }
  }
  SchemaJson& definitions = schema["$defs"];
  put_names(definitions);
  SchemaJson& fault = definitions["fault"];
  for (const FaultEntry& entry : all_faults()) {
    fault["properties"]["fault"]["enum"].push_back(entry.id);
    fault["allOf"].push_back(fault_schema(entry));
  }
  return laid_out(schema, 0, 0) + "\n";
}

}  // namespace holdfast
