#!/usr/bin/env bash
# Keeps the ledgers of a repository on a branch of their own, so that they outlive the job. `fetch` brings them, `begin` claims a target, `store` keeps
# what an apply wrote and gives the target back. Nothing is forced: of two runs that claim one target, git takes the push of one.
set -euo pipefail

dir=${LEDGER_DIR:-ledger}
branch=${LEDGER_BRANCH:-chatform-ledger}

fail() {
  printf '%s\n' "$1" >&2
  exit "${2:-1}"
}

# Credentials go through the environment of git, so that they are on no disk and on no command line.
if [ -n "${LEDGER_TOKEN:-}" ]; then
  server=$(printf '%s' "${LEDGER_URL:?}" | cut -d/ -f1-3)
  export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0="http.$server/.extraheader"
  GIT_CONFIG_VALUE_0="AUTHORIZATION: basic $(printf '%s:%s' "${LEDGER_USER:-x-access-token}" "$LEDGER_TOKEN" | base64 | tr -d '\n')"
  export GIT_CONFIG_VALUE_0
fi
export GIT_TERMINAL_PROMPT=0

claim() {
  local target=${LEDGER_TARGET:-default}
  [[ $target =~ ^[[:alnum:]_.-]+$ ]] || fail "LEDGER_TARGET is not the name of a target"
  printf '%s.begun' "$target"
}

commit() {
  git -C "$dir" -c user.name=chatform -c user.email=chatform@localhost commit --quiet -m "$1"
}

# Runs for other targets push to the same branch: theirs come first then, and ours again.
push() {
  local attempt
  for attempt in 1 2 3 4 5; do
    if git -C "$dir" push --quiet origin "HEAD:refs/heads/$branch"; then return; fi
    if git -C "$dir" fetch --quiet origin "$branch"; then
      git -C "$dir" -c user.name=chatform -c user.email=chatform@localhost rebase --quiet FETCH_HEAD || {
        git -C "$dir" rebase --abort
        return 1
      }
    fi
    sleep "${LEDGER_PAUSE:-$((attempt * 2))}"
  done
  return 1
}

fetch() {
  [ ! -e "$dir" ] || fail "$dir is there already: the ledgers are fetched into a folder of their own"
  git clone --quiet --depth 1 --single-branch --branch "$branch" -- "${LEDGER_URL:?}" "$dir" ||
    fail "there is no branch $branch to be read; make it once, empty: docs/ci.md says how"
}

held() {
  local file
  file=$dir/$(claim)
  [ -e "$file" ] || return 1
  printf 'target %s was claimed by %s, which has not stored its ledger' "${LEDGER_TARGET:-default}" "$(head -n 1 "$file")"
}

begin() {
  local file who
  file=$(claim)
  if who=$(held); then
    fail "$who; wait for it, or, if it is dead, do what docs/ci.md says about a claim that is left" 4
  fi
  printf '%s\n' "${LEDGER_RUN:?}" >"$dir/$file"
  git -C "$dir" add -- "$file"
  commit "Claim ${LEDGER_TARGET:-default}: $LEDGER_RUN"
  if push; then return; fi
  rm -f "$dir/$file"
  fail "another run claimed the target first, or $branch may not be pushed to; nothing was applied" 4
}

# May be called again, and does nothing for a claim of somebody else.
store() {
  local file changed
  file=$dir/$(claim)
  if [ ! -e "$file" ] || [ "$(head -n 1 "$file")" != "${LEDGER_RUN:?}" ]; then return; fi
  # Ledgers alone: not the leases beside them, nor anything that somebody else keeps there.
  mapfile -d '' changed < <(git -C "$dir" ls-files -z --modified --others -- ':(glob)**/*.ndjson')
  if [ ${#changed[@]} -gt 0 ]; then git -C "$dir" add -- "${changed[@]}"; fi
  git -C "$dir" rm --quiet --ignore-unmatch -- "$(claim)"
  commit "Store ${LEDGER_TARGET:-default}: $LEDGER_RUN"
  push || fail "the ledger could not be stored on $branch: it is in $dir of this job, and the target stays claimed"
}

case ${1:-} in
fetch | begin | store) "$1" ;;
held) held || printf 'free' ;;
*) fail "usage: ledger.sh fetch | begin | store | held" ;;
esac
