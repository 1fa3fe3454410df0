// An envelope for programs, in the form reports/README.md describes.
#pragma once

#include <string>

#include "harness/explore/envelope.h"

namespace holdfast {

std::string envelope_json_text(const Envelope& envelope, const std::string& certificate);

}  // namespace holdfast
