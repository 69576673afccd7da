#!/usr/bin/env bash
# Keeps the ledgers of a repository on a branch of their own, so that they outlive the job. `fetch` gets them, `begin` claims a target, `store` pushes
# the ledger of an apply and removes the claim. No push is forced: if two runs claim one target, git accepts one push.
set -euo pipefail

dir=${LEDGER_DIR:-ledger}
branch=${LEDGER_BRANCH:-chatform-ledger}

fail() {
  printf '%s\n' "$1" >&2
  exit "${2:-1}"
}

# Credentials go through the environment of git, so they are on no disk and no command line. They go to the server of LEDGER_URL only: git would send
# them after a redirect also, and to any certificate if the environment says so.
unset GIT_SSL_NO_VERIFY
export GIT_CONFIG_COUNT=2
export GIT_CONFIG_KEY_0=http.followRedirects GIT_CONFIG_VALUE_0=false
export GIT_CONFIG_KEY_1=http.sslVerify GIT_CONFIG_VALUE_1=true
if [ -n "${LEDGER_TOKEN:-}" ]; then
  server=$(printf '%s' "${LEDGER_URL:?}" | cut -d/ -f1-3)
  export GIT_CONFIG_COUNT=3 GIT_CONFIG_KEY_2="http.$server/.extraheader"
  GIT_CONFIG_VALUE_2="AUTHORIZATION: basic $(printf '%s:%s' "${LEDGER_USER:-x-access-token}" "$LEDGER_TOKEN" | base64 | tr -d '\n')"
  export GIT_CONFIG_VALUE_2
fi
export GIT_TERMINAL_PROMPT=0

target=${LEDGER_TARGET:-default}
[[ $target =~ ^[[:alnum:]_-][[:alnum:]_.-]*$ ]] || fail "LEDGER_TARGET is not the name of a target: use letters, digits, _ . and -"
claim=$target.begun
# Exists while a commit of `store` is not on the branch yet.
owed=$dir/.git/chatform-owed

commit() {
  git -C "$dir" -c user.name=chatform -c user.email=chatform@localhost commit --quiet -m "$1"
}

# Runs for other targets push to the same branch: then their commits go first, and ours is pushed again. Returns 4 if the branch contradicts ours.
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
  [ ! -e "$dir" ] || fail "$dir exists already, and the ledgers need a folder of their own: if the main branch has it, run git rm -r --cached $dir, and commit that"
  if git clone --quiet --depth 1 --single-branch --branch "$branch" -- "${LEDGER_URL:?}" "$dir"; then return; fi
  git ls-remote --quiet --exit-code --heads -- "$LEDGER_URL" "refs/heads/$branch" >/dev/null || code=$?
  if [ "$code" = 2 ]; then fail "there is no branch $branch: create it once, empty, as docs/how-to/github-and-gitlab.md says"; fi
  fail "$LEDGER_URL could not be read: check the address, and that the token may read it"
}

is_claimed() {
  [ -e "$dir/$claim" ] || [ -L "$dir/$claim" ]
}

# The run that the claim names. Everyone who may push to the branch can write a claim: a link could lead to the environment of this job, and a control
# character could command the runner.
claimer() {
  if [ -L "$dir/$claim" ] || [ ! -f "$dir/$claim" ]; then
    printf 'a file that is no claim'
    return
  fi
  head -c 1000 "$dir/$claim" | sed -n 1p | LC_ALL=C tr -cd '[:print:]'
}

held() {
  is_claimed || return 1
  printf 'target %s is claimed by %s, which has not stored its ledger' "$target" "$(claimer)"
}

begin() {
  local who code=0
  if who=$(held); then
    fail "$who; wait for it, or, if that run is dead, see docs/how-to/github-and-gitlab.md, \"A claim left by a dead run\"" 4
  fi
  printf '%s\n' "${LEDGER_RUN:?}" >"$dir/$claim"
  git -C "$dir" add -- "$claim"
  commit "Claim $target: $LEDGER_RUN"
  push || code=$?
  if [ "$code" = 0 ]; then return; fi
  rm -f "$dir/$claim"
  if [ "$code" = 4 ]; then fail "another run claimed $target first; nothing was applied: run the job again when it has ended" 4; fi
  fail "no run holds $target, but git refused the push to $branch; nothing was applied: check that the token may push, and the protection of the branch" 4
}

# May be called again: it pushes what it could not push before. Leaves the claim of another run as it is.
store() {
  local changed
  if is_claimed; then
    if [ "$(claimer)" != "${LEDGER_RUN:?}" ]; then return; fi
    # Only ledgers: no leases and no other files in the folder.
    mapfile -d '' changed < <(git -C "$dir" ls-files -z --modified --others -- ':(glob)**/*.ndjson')
    if [ ${#changed[@]} -gt 0 ]; then git -C "$dir" add -- "${changed[@]}"; fi
    : >"$owed"
    git -C "$dir" rm --quiet --ignore-unmatch -- "$claim"
  fi
  [ -e "$owed" ] || return 0
  # A call that was killed before its commit left it to this one.
  git -C "$dir" diff --cached --quiet || commit "Store $target: ${LEDGER_RUN:?}"
  push || fail "the ledger could not be stored on $branch, and the target stays claimed: save the ledger from $dir of this job"
  rm -f "$owed"
}

case ${1:-} in
fetch | begin | store) "$1" ;;
# Exits with 4 while an apply holds the target, because a reading now would show half of its changes.
held)
  if who=$(held); then fail "$who" 4; fi
  printf 'free\n'
  ;;
*) fail "usage: ledger.sh fetch | begin | store | held" ;;
esac
