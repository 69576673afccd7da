#!/usr/bin/env bash
# curl and jq: the JSON of the floor script comes in ($1), batches of what is missing or differs go out ($2 is `apply`), up to ten at a time.
set -euo pipefail
input=$1 mode=$2 work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
url=$(jq -r .url "$input")

call() { # action, file with the body
  curl -sS --fail -H 'Authorization: Bearer any' -H 'Content-Type: application/json' --data-binary "@$2" \
    "$url/v3.6/configuration/action/$1"
}
export -f call
export url

jq -c '.reads[] | select(.action == "list_agents") | .body' "$input" >"$work/fields"
jq -c '.reads[] | select(.action == "list_groups") | .body' "$input" >"$work/with"
call list_agents "$work/fields" >"$work/agents" &
call list_groups "$work/with" >"$work/groups" &
wait

jq -c --slurpfile live "$work/agents" '
  (INDEX($live[0][]; .id)) as $live
  | [.agents[] | select($live[.id] == null)] as $new
  | [.agents[] | . as $agent | $live[.id] // empty
      | . as $row | $agent | with_entries(select(.key == "id" or .value != $row[.key])) | select(length > 1)] as $changed
  | def batches($action; $rows): range(0; $rows | length; 100) as $at | [$action, ({requests: $rows[$at:$at + 100]})];
    batches("batch_create_agents"; $new), batches("batch_update_agents"; $changed)
' "$input" >"$work/batches"
jq -c --slurpfile live "$work/groups" '
  ([$live[0][].name]) as $known | .groups[] | select(.name as $name | $known | index([$name]) | not) | ["create_group", .]
' "$input" >"$work/new-groups"

send() { # file with one call a line
  local number=0 action
  while IFS= read -r line; do
    number=$((number + 1))
    action=$(jq -r '.[0]' <<<"$line")
    jq -c '.[1]' <<<"$line" >"$1.$number"
    echo "$action $1.$number"
  done <"$1" | xargs -r -n 2 -P 10 bash -c 'call "$0" "$1" >/dev/null'
}

if [ "$mode" = apply ]; then
  send "$work/batches"
  send "$work/new-groups"
else
  wc -l <"$work/batches"
fi
