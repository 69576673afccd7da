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

target=${LEDGER_TARGET:-default}
[[ $target =~ ^[[:alnum:]_-][[:alnum:]_.-]*$ ]] || fail "LEDGER_TARGET is not the name of a target"
claim=$target.begun
# Stands while a commit of `store` is not on the branch.
owed=$dir/.git/chatform-owed

commit() {
  git -C "$dir" -c user.name=chatform -c user.email=chatform@localhost commit --quiet -m "$1"
}

# Runs for other targets push to the same branch: theirs come first then, and ours again. Ends with 4 when what is there contradicts ours.
push() {
  local attempt
  for attempt in 1 2 3 4 5; do
    if git -C "$dir" push --quiet origin "HEAD:refs/heads/$branch"; then return; fi
    if git -C "$dir" fetch --quiet origin "$branch"; then
      git -C "$dir" -c user.name=chatform -c user.email=chatform@localhost rebase --quiet FETCH_HEAD || {
        git -C "$dir" rebase --abort
        return 4
      }
    fi
    sleep "${LEDGER_PAUSE:-$((attempt * 2))}"
  done
  return 1
}

fetch() {
  local code=0
  [ ! -e "$dir" ] || fail "$dir is there already: the ledgers are fetched into a folder of their own"
  if git clone --quiet --depth 1 --single-branch --branch "$branch" -- "${LEDGER_URL:?}" "$dir"; then return; fi
  git ls-remote --quiet --exit-code --heads -- "$LEDGER_URL" "refs/heads/$branch" >/dev/null || code=$?
  if [ "$code" = 2 ]; then fail "there is no branch $branch; make it once, empty: docs/ci.md says how"; fi
  fail "$LEDGER_URL could not be read: see that the address is right, and that the token may read it"
}

held() {
  [ -e "$dir/$claim" ] || return 1
  printf 'target %s was claimed by %s, which has not stored its ledger' "$target" "$(head -n 1 "$dir/$claim")"
}

begin() {
  local who code=0
  if who=$(held); then
    fail "$who; wait for it, or, if it is dead, do what docs/ci.md says about a claim that is left" 4
  fi
  printf '%s\n' "${LEDGER_RUN:?}" >"$dir/$claim"
  git -C "$dir" add -- "$claim"
  commit "Claim $target: $LEDGER_RUN"
  push || code=$?
  if [ "$code" = 0 ]; then return; fi
  rm -f "$dir/$claim"
  if [ "$code" = 4 ]; then fail "another run claimed $target first; nothing was applied" 4; fi
  fail "nobody holds $target, and git did not take the push to $branch: see that the token may push there, and that the branch lets it; nothing was applied" 4
}

# May be called again: it pushes what it could not push before, and does nothing for a claim of somebody else.
store() {
  local changed
  if [ -e "$dir/$claim" ]; then
    if [ "$(head -n 1 "$dir/$claim")" != "${LEDGER_RUN:?}" ]; then return; fi
    # Ledgers alone: not the leases beside them, nor anything that somebody else keeps there.
    mapfile -d '' changed < <(git -C "$dir" ls-files -z --modified --others -- ':(glob)**/*.ndjson')
    if [ ${#changed[@]} -gt 0 ]; then git -C "$dir" add -- "${changed[@]}"; fi
    : >"$owed"
    git -C "$dir" rm --quiet --ignore-unmatch -- "$claim"
  fi
  [ -e "$owed" ] || return 0
  # Whoever was ended before the commit left it to us.
  git -C "$dir" diff --cached --quiet || commit "Store $target: ${LEDGER_RUN:?}"
  push || fail "the ledger could not be stored on $branch: it is in $dir of this job, and the target stays claimed"
  rm -f "$owed"
}

case ${1:-} in
fetch | begin | store) "$1" ;;
# Ends with 4 while an apply has the target: whoever looks now sees half of it.
held)
  if who=$(held); then fail "$who" 4; fi
  printf 'free\n'
  ;;
*) fail "usage: ledger.sh fetch | begin | store | held" ;;
esac
