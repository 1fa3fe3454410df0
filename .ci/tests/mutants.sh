# Mutants: what kills one is shown by the command beside it, a mutant goes where a lock goes, and mistakes are one
# sentence.
. "$HOLDFAST_ROOT/.ci/check.sh"
holdfast=$HOLDFAST_ROOT/build/holdfast

# command_of MUTANT: the command that stands behind what killed it, in ./out.
command_of() {
  grep -A 2 -- " $1\$" out | sed -n 's/.*   holdfast \(.*\)/\1/p' | head -n 1
}

"$holdfast" mutants --lock redis-px-cad --runs 200 --json score.json >out || (($? == 1))
expect_text out "without-NX@acquire:SET"
expect_text out "redis-px-cad  "
expect_text score.json '"format": "holdfast-mutants"'
for mutant in without-NX@acquire:SET without-PX@acquire:SET if-1-always@release:EVAL; do
  command=$(command_of "$mutant")
  letter=$(grep -A 2 -- " $mutant\$" out | sed -n 's/.* → \(.\) .*/\1/p')
  # shellcheck disable=SC2086 # the words of the command
  expect_exit 1 "$holdfast" $command --json
  expect_text out "\"letter\": \"$letter\""
  "$holdfast" mutants --lock redis-px-cad --runs 0 >out || (($? == 1))
done

# One alone, and what is explained of it.
"$holdfast" mutants --lock redis-px-cad --mutant without-NX@acquire:SET --runs 0 >out || (($? == 1))
expect_text out "100.0 %"

# A mutant goes where a lock goes: a log of it is replayed, and what is found of it is shrunk.
expect_exit 1 "$holdfast" run family-none --lock redis-px-cad~without-NX@acquire:SET --log run.log
expect_exit 1 "$holdfast" replay run.log
expect_exit 1 "$holdfast" explore --lock redis-px-cad~without-NX@acquire:SET --runs 200 --out found
expect_text out "redis-px-cad~without-NX@acquire:SET by swarm: 200 runs"
if grep -q "did not come out again" out; then exit 1; fi

expect_exit 2 "$holdfast" mutants --lock no-lock
expect_exit 2 "$holdfast" mutants --lock redis-px-cad --mutant without-NX
expect_text err 'there is no mutant "redis-px-cad~without-NX"'
expect_exit 2 "$holdfast" mutants --mutant old-id
expect_text err "say which with --lock"
expect_exit 2 "$holdfast" run family-none --lock redis-px-cad~nonsense
expect_text err "holdfast mutants --lock redis-px-cad"
