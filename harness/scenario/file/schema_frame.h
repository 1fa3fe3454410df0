// The JSON Schema of scenario files but for what rows and stores say: schema.cpp puts that in.
#pragma once

#include <string_view>

namespace holdfast {

inline constexpr std::string_view schema_frame = R"json({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "https://holdfast.example/scenario.schema.json",
  "title": "A holdfast scenario",
  "description": "See scenarios/README.md. The program checks more than this: that ids exist and names refer to something.",
  "type": "object",
  "additionalProperties": false,
  "required": ["title", "about", "lock", "clients"],
  "properties": {
    "version": {"enum": [1, 2], "description": "Of this format: 2. Files of 1, or without one, may be of an older form, which is still read."},
    "title": {"type": "string", "minLength": 1, "maxLength": 4000, "description": "A few words."},
    "about": {"type": "string", "minLength": 1, "maxLength": 4000, "description": "What happens, in sentences."},
    "source": {"type": "string", "minLength": 1, "maxLength": 4000, "description": "Where the story is told: file and line, 001:L335."},
    "lock": {"type": "string", "minLength": 1, "description": "The id of the lock it is told with (holdfast list locks)."},
    "any_lock": {"type": "boolean", "default": false, "description": "Whether --lock may name another."},
    "topology": {
      "type": "object",
      "additionalProperties": false,
      "properties": {
        "token_checking": {"enum": ["auto", "on", "off"], "default": "auto", "description": "Whether storage rejects stale fencing tokens; auto: if the lock has tokens."},
        "latency": {
          "type": "object",
          "additionalProperties": false,
          "description": "Of one message: `least`, plus one of `jitter_steps` equally likely multiples of `jitter_step`.",
          "properties": {
            "least": {"$ref": "#/$defs/fixed_duration", "default": "200us"},
            "jitter_step": {"$ref": "#/$defs/fixed_duration", "default": "25us"},
            "jitter_steps": {"type": "integer", "minimum": 1, "maximum": 10000, "default": 8}
          }
        }
      }
    },
    "settings": {
      "type": "object",
      "additionalProperties": false,
      "description": "Of the lock; what is not said is as the catalog has it.",
      "properties": {
        "ttl": {"allOf": [{"$ref": "#/$defs/fixed_duration"}, {"$ref": "#/$defs/not_zero"}], "description": "The lease, of at least 1ms."},
        "retry_interval": {"$ref": "#/$defs/positive_duration", "description": "Between two attempts of a lock that spins."},
        "retry_jitter": {"$ref": "#/$defs/duration", "description": "A random part on top, below this."},
        "wait_replicas": {"type": "integer", "minimum": 0, "maximum": 5, "description": "For how many replicas the lock waits, where it can."},
        "command_timeout": {"$ref": "#/$defs/positive_duration", "default": "1s", "description": "How long a client waits for a reply."}
      }
    },
    "clients": {
      "description": "A number of equal clients, c1, c2, …; or each of them.",
      "oneOf": [
        {"type": "integer", "minimum": 1, "maximum": 64},
        {
          "type": "array",
          "minItems": 1,
          "maxItems": 64,
          "items": {
            "type": "object",
            "additionalProperties": false,
            "required": ["name"],
            "properties": {
              "name": {"$ref": "#/$defs/client"},
              "threads": {"type": "integer", "minimum": 1, "maximum": 16, "default": 1},
              "start": {"$ref": "#/$defs/duration", "default": "0s", "description": "When it begins to work."},
              "role": {"enum": ["", "stranger", "reader", "writer"], "default": ""},
              "rounds": {"$ref": "#/$defs/rounds", "description": "Instead of the workload's."},
              "work": {"$ref": "#/$defs/duration", "description": "Instead of the workload's."}
            }
          }
        }
      ]
    },
    "workload": {
      "type": "object",
      "additionalProperties": false,
      "properties": {
        "kind": {
          "enum": ["cycle", "reentrant", "twice", "foreign", "readers-writers", "roles", "permits", "latch", "oversell"],
          "default": "cycle"
        },
        "rounds": {"$ref": "#/$defs/rounds", "default": 1},
        "work": {"$ref": "#/$defs/duration", "default": "300ms", "description": "How long the work under the lock takes."},
        "pause": {"$ref": "#/$defs/duration", "default": "50ms", "description": "Between two rounds."},
        "stock": {"type": "integer", "minimum": 0, "maximum": 1000000, "default": 3, "description": "oversell only."},
        "permits": {"type": "integer", "minimum": 1, "maximum": 1000, "default": 2, "description": "permits only."},
        "patience": {"$ref": "#/$defs/positive_duration", "description": "An acquire that takes longer is given up, and made again later; without it nobody gives up."},
        "objects": {"enum": ["process", "thread"], "default": "process", "description": "Whether threads of a process share a lock object, or each has one of its own for the same key."}
      },
      "dependentSchemas": {
        "stock": {"required": ["kind"], "properties": {"kind": {"const": "oversell"}}},
        "permits": {"required": ["kind"], "properties": {"kind": {"const": "permits"}}}
      }
    },
    "faults": {
      "type": "array",
      "description": "Each strikes once, at its place.",
      "items": {
        "allOf": [{"$ref": "#/$defs/fault"}, {"required": ["at"], "properties": {"on": {"$ref": "#/$defs/process"}, "at": {"$ref": "#/$defs/step"}}}]
      }
    },
    "sweep": {
      "type": "array",
      "description": "Of a family: each is tried at every step, one run a placement.",
      "items": {
        "allOf": [{"$ref": "#/$defs/fault"}, {"not": {"required": ["until"]}, "properties": {"at": {"$ref": "#/$defs/every_step"}}}]
      }
    },
    "seeds": {"type": "integer", "minimum": 1, "maximum": 100000, "default": 1, "description": "Of a family: with how many seeds each placement is run."},
    "column": {"type": "integer", "minimum": 1, "maximum": 1000, "description": "Makes it a family: its place in the matrix."},
    "properties": {
      "type": "array",
      "description": "Which verdicts count; empty: all that apply.",
      "items": {"enum": []}
    },
    "time_limit": {"$ref": "#/$defs/positive_duration", "default": "5 ttl + 60s", "description": "A run that takes longer, in virtual time, is stopped and judged as it stands."},
    "event_limit": {"type": "integer", "minimum": 1000, "maximum": 100000000, "default": 500000},
    "expect": {"$ref": "#/$defs/expectation"},
    "expect_for": {
      "type": "object",
      "description": "By lock, where it differs from `expect`.",
      "additionalProperties": {"$ref": "#/$defs/expectation"}
    }
  },
  "dependentRequired": {"sweep": ["column"], "seeds": ["column"]},
  "dependentSchemas": {"column": {"$ref": "#/$defs/of_any_lock"}},
  "allOf": [
    {"if": {"required": ["version"], "properties": {"version": {"const": 2}}}, "then": {"properties": {"topology": {}}}},
    {
      "if": {"required": ["expect_for"], "properties": {"expect_for": {"minProperties": 2}}},
      "then": {"$ref": "#/$defs/of_any_lock"}
    }
  ],
  "$defs": {
    "of_any_lock": {"required": ["any_lock"], "properties": {"any_lock": {"const": true}}},
    "duration": {
      "type": "string",
      "description": "A sum of terms: 15s, 250ms, 1.5 ttl, ttl + 100ms. Units: ns us ms s min h, and ttl, the lock's lease.",
      "pattern": "^ *(- *(0*[0-9]{1,15}(\\.[0-9]{0,14})? *(ns|us|ms|s|min|h|ttl)|ttl) *(- *(0*[0-9]{1,15}(\\.[0-9]{0,14})? *(ns|us|ms|s|min|h|ttl)|ttl) *)*[+] *)?(0*[0-9]{1,15}(\\.[0-9]{0,14})? *(ns|us|ms|s|min|h|ttl)|ttl) *([+-] *(0*[0-9]{1,15}(\\.[0-9]{0,14})? *(ns|us|ms|s|min|h|ttl)|ttl) *)*$"
    },
    "signed_duration": {
      "type": "string",
      "description": "A duration that may be negative, but not nothing: -2 ttl.",
      "pattern": "^ *(- *)?(0*[0-9]{1,15}(\\.[0-9]{0,14})? *(ns|us|ms|s|min|h|ttl)|ttl) *([+-] *(0*[0-9]{1,15}(\\.[0-9]{0,14})? *(ns|us|ms|s|min|h|ttl)|ttl) *)*$",
      "allOf": [{"$ref": "#/$defs/not_zero"}]
    },
    "fixed_duration": {
      "type": "string",
      "description": "A duration without ttl.",
      "pattern": "^ *(- *0*[0-9]{1,15}(\\.[0-9]{0,14})? *(ns|us|ms|s|min|h) *(- *0*[0-9]{1,15}(\\.[0-9]{0,14})? *(ns|us|ms|s|min|h) *)*[+] *)?0*[0-9]{1,15}(\\.[0-9]{0,14})? *(ns|us|ms|s|min|h) *([+-] *0*[0-9]{1,15}(\\.[0-9]{0,14})? *(ns|us|ms|s|min|h) *)*$"
    },
    "positive_duration": {"allOf": [{"$ref": "#/$defs/duration"}, {"$ref": "#/$defs/not_zero"}]},
    "not_zero": {"pattern": "[1-9]|(^|[+-]) *ttl"},
    "rounds": {"type": "integer", "minimum": 1, "maximum": 10000},
    "client": {
      "type": "string",
      "pattern": "^[a-z][a-z0-9_-]{0,15}$",
      "not": {"pattern": ""}
    },
    "server": {"type": "string", "pattern": ""},
    "member": {"type": "string", "pattern": "", "description": "A server of the lock: all but storage."},
    "process": {"anyOf": [{"$ref": "#/$defs/client"}, {"$ref": "#/$defs/server"}]},
    "nth": {"type": "integer", "minimum": 1, "maximum": 1000000, "default": 1, "description": "Of the steps that fit."},
    "thread": {"type": "integer", "minimum": 1, "maximum": 16},
    "command": {"type": "string", "pattern": "", "description": ""},
    "of_a_call": {"anyOf": [{"required": ["phase"]}, {"required": ["step"]}], "description": "A step of a call, or one that may be."},
    "step": {
      "description": "Where in a run: a time, or a step of a client or server.",
      "oneOf": [
        {
          "type": "object",
          "additionalProperties": false,
          "required": ["time"],
          "properties": {"time": {"$ref": "#/$defs/duration"}}
        },
        {
          "type": "object",
          "additionalProperties": false,
          "required": ["client", "point"],
          "properties": {
            "client": {"$ref": "#/$defs/client"},
            "point": {"enum": ["start", "acquire", "acquired", "read", "work", "worked", "written", "release", "released", "end"]},
            "nth": {"$ref": "#/$defs/nth"},
            "thread": {"$ref": "#/$defs/thread"}
          }
        },
        {
          "type": "object",
          "additionalProperties": false,
          "required": ["client", "phase"],
          "properties": {
            "client": {"$ref": "#/$defs/client"},
            "command": {"$ref": "#/$defs/command"},
            "phase": {"enum": ["sending", "arrived", "applied", "replied"]},
            "nth": {"$ref": "#/$defs/nth"},
            "thread": {"$ref": "#/$defs/thread"}
          }
        },
        {
          "type": "object",
          "additionalProperties": false,
          "required": ["server", "phase"],
          "properties": {
            "server": {"$ref": "#/$defs/server"},
            "command": {"$ref": "#/$defs/command"},
            "phase": {"enum": ["arrived", "applied"]},
            "nth": {"$ref": "#/$defs/nth"}
          }
        },
        {
          "type": "object",
          "additionalProperties": false,
          "required": ["client", "step"],
          "properties": {
            "client": {"$ref": "#/$defs/client"},
            "step": {"$ref": "#/$defs/nth"}
          }
        },
        {
          "type": "object",
          "additionalProperties": false,
          "required": ["server", "step"],
          "properties": {
            "server": {"$ref": "#/$defs/server"},
            "step": {"$ref": "#/$defs/nth"}
          }
        }
      ]
    },
    "every_step": {
      "type": "object",
      "description": "In a sweep: only steps of that phase.",
      "additionalProperties": false,
      "required": ["phase"],
      "properties": {"phase": {"enum": ["sending", "arrived", "applied"]}}
    },
    "letter": {"enum": ["S", "V", "F", "L", "U", "D", "E", "-"]},
    "expectation": {
      "type": "object",
      "additionalProperties": false,
      "required": ["letter"],
      "properties": {
        "letter": {"$ref": "#/$defs/letter"},
        "reasoned": {"$ref": "#/$defs/letter", "description": "What was expected before measuring, if that was wrong."},
        "note": {"type": "string", "minLength": 1, "maxLength": 4000, "description": "Why."}
      }
    },
    "fault": {
      "type": "object",
      "required": ["fault", "on"],
      "properties": {
        "fault": {"enum": []},
        "on": {"anyOf": [{"$ref": "#/$defs/process"}, {"enum": ["clients", "servers"]}], "description": "The process it strikes; in a sweep also all clients or all servers, one at a time."},
        "at": {"type": "object"},
        "for": {"$ref": "#/$defs/positive_duration"},
        "until": {"$ref": "#/$defs/step"}
      },
      "not": {"required": ["for", "until"]},
      "allOf": []
    }
  }
})json";

}  // namespace holdfast
