# Exploring: the same findings on any number of jobs and shards, resumed where it was interrupted; what is found
# is shrunk, goes into scenarios/ as it is, and is confirmed by the real server.
. "$HOLDFAST_ROOT/.ci/check.sh"
holdfast=$HOLDFAST_ROOT/build/holdfast

expect_exit 1 "$holdfast" explore --lock redis-px-cad --runs 6000 --jobs 1 --out one
expect_text out "by swarm: 6000 runs"
expect_exit 1 "$holdfast" explore --lock redis-px-cad --runs 6000 --jobs 2 --out two
for shard in 1 2 3; do
  expect_exit 1 "$holdfast" explore --lock redis-px-cad --runs 6000 --shard $shard/3 --out shard$shard
done
expect_exit 1 "$holdfast" merge shard3 shard1 shard2 --out merged
cmp one/campaign.json two/campaign.json
cmp one/campaign.json merged/campaign.json

# What is there already is not done again: a piece that says it had no finding is believed.
cp -r one resumed
rm -r resumed/campaign.json resumed/findings
pieces=(resumed/pieces/*)
rm "${pieces[0]}"
expect_exit 1 "$holdfast" explore --lock redis-px-cad --runs 6000 --out resumed
cmp one/campaign.json resumed/campaign.json
expect_exit 2 "$holdfast" explore --lock redis-px-cad --runs 6000 --seed 2 --out one
expect_text err "belongs to another exploration"

# The story is small, and it is one with any seed.
stories=(one/findings/*--V.json)
story=${stories[0]}
for seed in 1 2 3; do expect_exit 0 "$holdfast" run "$story" --seed $seed --expected; done
expect_exit 1 "$holdfast" run "$story" --confirm
expect_text out "confirmed on redis-server"
expect_exit 1 "$holdfast" replay "${story%.json}.log"

expect_exit 0 "$holdfast" explore --lock redis-px-cad --strategy exhaustive --faults 0
expect_text out "no violation within: 2 clients, 0 faults"
expect_text out "all of them"
expect_exit 0 "$holdfast" explore --lock redis-px-cad --scenario family-client-clock --strategy exhaustive --faults 2
expect_text out "no violation within: 2 clients, 2 faults"
expect_exit 1 "$holdfast" explore --lock redis-set-ex-no-nx --strategy exhaustive --faults 0

expect_exit 0 "$holdfast" envelope redis-px-cad --rows 3 --columns 9 --json envelope.json
expect_text envelope.json "a pause of the holder at the worst moment: up to 9.9"
python3 -c 'import json; assert len(json.load(open("envelope.json"))["letters"]) == 3'

# Bad input.
expect_exit 2 "$holdfast" explore --strategy swam
expect_text err 'did you mean "swarm"'
expect_exit 2 "$holdfast" explore --shard 3/2
expect_exit 2 "$holdfast" explore --for tomorrow
expect_exit 2 "$holdfast" merge nowhere
expect_exit 2 "$holdfast" envelope redis-px-cad --x pause --y pause
expect_exit 2 "$holdfast" envelope redisson-latch
