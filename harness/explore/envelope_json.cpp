#include "harness/explore/envelope_json.h"

#include <nlohmann/json.hpp>

namespace holdfast {
namespace {

using EnvelopeJson = nlohmann::ordered_json;

EnvelopeJson axis_json(const Quantity& quantity, std::vector<std::int64_t> values) {
  return {{"name", quantity.name}, {"unit", quantity.unit}, {"values", std::move(values)}};
}

EnvelopeJson unless(bool is_absent, std::int64_t value) {
  return is_absent ? EnvelopeJson() : EnvelopeJson(value);
}

EnvelopeJson first_broken(const EnvelopeRow& row, const Quantity& x) {
  if (x.more_is_safer) {
    return unless(row.safe_up_to == x.least, row.safe_up_to < 0 ? x.most : row.safe_up_to - 1);
  }
  return unless(row.safe_up_to == x.most, row.safe_up_to < 0 ? x.least : row.safe_up_to + 1);
}

EnvelopeJson border_json(const EnvelopeRow& row, const Quantity& x) {
  return {{"y", row.y},
          {"holds", unless(row.holds_up_to < 0, row.holds_up_to)},
          {"safe", unless(row.safe_up_to < 0, row.safe_up_to)},
          {"broken", first_broken(row, x)}};
}

}  // namespace

std::string envelope_json_text(const Envelope& envelope, const std::string& certificate) {
  EnvelopeJson json{
      {"format", "holdfast-envelope"}, {"version", 1}, {"lock", envelope.lock->id}, {"runs", envelope.runs}};
  std::vector<std::int64_t> ys;
  EnvelopeJson letters = EnvelopeJson::array();
  EnvelopeJson border = EnvelopeJson::array();
  for (const EnvelopeRow& row : envelope.rows) {
    ys.push_back(row.y);
    EnvelopeJson& line = letters.emplace_back(EnvelopeJson::array());
    for (const Letter letter : row.letters) {
      line.push_back(to_text(letter));
    }
    border.push_back(border_json(row, *envelope.x));
  }
  json["x"] = axis_json(*envelope.x, envelope.xs);
  json["y"] = axis_json(*envelope.y, std::move(ys));
  json["letters"] = std::move(letters);
  json["border"] = std::move(border);
  json["certificate"] = certificate;
  return json.dump(1) + "\n";
}

}  // namespace holdfast
