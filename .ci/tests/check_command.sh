# holdfast check: verdicts, exit codes and sentences, for its own histories and Jepsen's, also zipped and piped.
. "$HOLDFAST_ROOT/.ci/check.sh"
holdfast=$HOLDFAST_ROOT/build/holdfast

# A lock that is broken by a pause: not linearizable, two holders, the fault named.
"$holdfast" run gc-pause-write --expected --history pause.jsonl >story
expect_text story "not linearizable as owner-mutex: c1 was granted it"
expect_exit 1 "$holdfast" check pause.jsonl --model owner-mutex
expect_text out "not linearizable as owner-mutex: c1 was granted it"
expect_text out "c1 and c2 believed to hold it at once"
expect_text out "meanwhile c1 pauses for 15 s"
gzip -k pause.jsonl
expect_exit 1 "$holdfast" check pause.jsonl.gz --model owner-mutex
cp out zipped
expect_exit 1 "$holdfast" check - --model owner-mutex <pause.jsonl
diff <(tail -n +2 out) <(tail -n +2 zipped)
expect_exit 1 "$holdfast" check pause.jsonl --model owner-mutex --json
python3 -c 'import json,sys; r = json.load(sys.stdin); assert r["service"] == r["belief"] == "violated"; assert r["keys"][0]["witness"]' <out
# Storage lost an update: as a register that started from 0 it is fine, since each write was applied.
expect_exit 0 "$holdfast" check pause.jsonl --model register --initial 0

# One that holds: margins are told.
"$holdfast" run family-none --expected --history well.jsonl >/dev/null
expect_exit 0 "$holdfast" check well.jsonl --model owner-mutex --lease 10s
expect_text out "linearizable as owner-mutex"
expect_text out "the closest was"
expect_text out "were left of it when work ended"

# The classic trap: a release that fails because the lease is gone.
cat >trap.edn <<'END'
{:process 0, :type :invoke, :f :acquire, :value nil}
{:process 0, :type :ok, :f :acquire, :value nil}
{:process 0, :type :invoke, :f :release, :value nil}
{:process 0, :type :fail, :f :release, :value nil, :error :lease-not-found}
{:process 1, :type :invoke, :f :acquire, :value nil}
{:process 1, :type :ok, :f :acquire, :value nil}
END
expect_exit 1 "$holdfast" check trap.edn --model owner-mutex
expect_text out "it would be linearizable if a release that failed counted as one that may have happened"
expect_text out "✓ belief"

# A compare-and-set register, with the calls that cannot be explained.
cat >register.edn <<'END'
[{:process 0, :type :invoke, :f :write, :value 1} {:process 0, :type :ok, :f :write, :value 1}
 {:process 1, :type :invoke, :f :cas, :value [1 2]} {:process 1, :type :ok, :f :cas, :value [1 2]}
 {:process 0, :type :invoke, :f :read, :value nil} {:process 0, :type :ok, :f :read, :value 1}]
END
expect_exit 1 "$holdfast" check register.edn --model cas-register
expect_text out "no order explains these 2 calls: 1 compare_and_set 1 to 2, lines 2 to 2; 0 read 1, lines 3 to 3"

# Two keys, of which one is asked for.
cat >keys.jsonl <<'END'
{"type":"invoke","process":"a","operation":"acquire","key":"x"}
{"type":"ok","process":"a","operation":"acquire","key":"x"}
{"type":"invoke","process":"b","operation":"acquire","key":"y"}
{"type":"ok","process":"b","operation":"acquire","key":"y"}
{"type":"invoke","process":"c","operation":"acquire","key":"y"}
{"type":"ok","process":"c","operation":"acquire","key":"y"}
END
expect_exit 1 "$holdfast" check keys.jsonl --model owner-mutex
expect_exit 0 "$holdfast" check keys.jsonl --model owner-mutex --key x
expect_exit 2 "$holdfast" check keys.jsonl --model owner-mutex --key z
expect_text err 'the history has no key "z"'

# A search that meets its limit knows nothing, and says so.
python3 - >hard.jsonl <<'END'
import json, random
random.seed(1)
value = 0
for client in range(400):  # timed-out writes, any of which may have happened
    print(json.dumps({"type": "invoke", "process": f"w{client}", "operation": "write", "value": client % 97}))
    print(json.dumps({"type": "info", "process": f"w{client}", "operation": "write", "value": client % 97}))
for read in range(3000):
    for kind in ("invoke", "ok"):
        print(json.dumps({"type": kind, "process": f"r{read % 20}", "operation": "read", "value": random.randrange(97)}))
END
expect_exit 3 "$holdfast" check hard.jsonl --model register --memory 1
expect_text out "not known whether linearizable as register"

# Bad input.
expect_exit 2 "$holdfast" check well.jsonl
expect_text err "check wants to know what the history is one of: --model mutex"
expect_exit 2 "$holdfast" check well.jsonl --model owner-mutx
expect_text err 'did you mean "owner-mutex"?'
expect_exit 2 "$holdfast" check missing.jsonl --model mutex
expect_text err "missing.jsonl"
head -c 700 well.jsonl >cut.jsonl
expect_exit 2 "$holdfast" check cut.jsonl --model mutex
expect_text err "cut.jsonl:"
echo '{"type":"ok","process":"a","operation":"acquire","key":"x"}' >alone.jsonl
expect_exit 2 "$holdfast" check alone.jsonl --model mutex
expect_text err "alone.jsonl: line 1: a return without such a call"

# What can be read only once is kept: a pipe, a named one, standard input by its name. Nothing is judged empty.
cat >invalid.jsonl <<'END_OF_HISTORY'
{"type":"invoke","process":"a","operation":"write","value":1}
{"type":"ok","process":"a","operation":"write","value":1}
{"type":"invoke","process":"b","operation":"read"}
{"type":"ok","process":"b","operation":"read","value":2}
END_OF_HISTORY
expect_exit 1 "$holdfast" check <(cat invalid.jsonl) --model register
# shellcheck disable=SC2002 # that it comes by a pipe is what is tried
cat invalid.jsonl | expect_exit 1 "$holdfast" check /dev/stdin --model register
# shellcheck disable=SC2002
cat invalid.jsonl | expect_exit 1 "$holdfast" check - --model register
mkfifo pipe
cat invalid.jsonl >pipe &
expect_exit 1 timeout 20 "$holdfast" check pipe --model register
expect_text out "no order explains this call: b read 2, lines 3 to 4"
expect_exit 1 "$holdfast" check invalid.jsonl --model register --json
python3 -c 'import json,sys; w = json.load(sys.stdin)["keys"][0]["witness"]; assert w == [{"client": "b", "operation": "read", "value": "2", "outcome": "ok", "invoke_line": 3, "return_line": 4, "invoke_time": None, "return_time": None}], w' <out

# Where there is nothing to judge, nothing is well.
: >empty.jsonl
expect_exit 2 "$holdfast" check empty.jsonl --model mutex
expect_text err "there is nothing to judge: it has no calls"
expect_exit 2 "$holdfast" check invalid.jsonl --model mutex
expect_text err "none of its calls is one of mutex; it has read and write"
expect_exit 2 "$holdfast" check register.edn --model register
expect_text err "compare_and_set of \"resource\" is no call of register; what knows all that is called of it is cas-register"

# Registers that start below zero, and reads that nobody heard the answer of.
expect_exit 1 "$holdfast" check invalid.jsonl --model register --initial -1
expect_exit 2 "$holdfast" check invalid.jsonl --model register --initial minus
expect_text err "--initial takes a whole number such as 0 or -1"
sed 's/"value":2/"value":null/' invalid.jsonl >nil.jsonl
expect_exit 1 "$holdfast" check nil.jsonl --model register
expect_exit 0 "$holdfast" check nil.jsonl --model register --nil unknown

# Times that contradict the order of the lines.
sed 's/"type"/"time":9,"type"/; 4s/9/5/' invalid.jsonl >times.jsonl
expect_exit 1 "$holdfast" check times.jsonl --model register
expect_text out "by its time line 4 was 4 ns earlier than line 3"
