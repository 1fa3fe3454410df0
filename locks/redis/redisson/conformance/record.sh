#!/usr/bin/env bash
# Records what the real Redisson does: ./record.sh 4.7.0 writes redisson-4.7.0.json beside it.
#
# A release that is recorded in part names its sequences, as a pattern: ./record.sh 3.29.0 'lock|fair.*'. Needs a
# JDK (17 or later), Maven and redis-server; Maven brings the library, and nothing of it stays. Takes four minutes,
# for it is done in real time; where the machine stands still meanwhile, the sequence is done again.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
release=${1:?"which release of Redisson? Such as: $0 4.7.0"}
sequences=${2:-.*}
for program in javac mvn redis-server; do
  if ! command -v "$program" >/dev/null; then
    echo "$0 needs $program, which is not installed." >&2
    exit 2
  fi
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/pom.xml" <<EOF
<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>conformance</groupId>
  <artifactId>recorder</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>org.redisson</groupId>
      <artifactId>redisson</artifactId>
      <version>$release</version>
    </dependency>
  </dependencies>
</project>
EOF
mvn --quiet --batch-mode --file "$work/pom.xml" dependency:copy-dependencies \
  -DincludeScope=runtime -DoutputDirectory="$work/library"
javac -nowarn -d "$work/classes" -cp "$work/library/*" "$here"/recorder/*.java
java -cp "$work/classes:$work/library/*" Recorder "$here/sequences.txt" "$release" "$work/facts.json" "$sequences"
mv "$work/facts.json" "$here/redisson-$release.json"
