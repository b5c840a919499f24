#!/usr/bin/env bash
# Signs requests and calls the API: bash, curl 7.83 or later, openssl, GNU date.
#
# Retries what docs/reference/protocol.md calls safe: same bytes and idempotency key, new nonce and signature.
set -euo pipefail
secret=$(printf %s "$PARTNER_API_SECRET" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \n')
time_limit=${PARTNER_TIME_LIMIT_S:-30} # of an attempt
attempts=3
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
echo 0 >"$folder/nonce"

sign() { # sign PATH NONCE BODY
  { printf %s "$1"; printf %s "$2$3" | openssl dgst -sha256 -binary; } |
    openssl dgst -sha512 -mac HMAC -macopt "hexkey:$secret" -binary | openssl base64 -A
}

next_nonce() { # rises with every request, also with a retry
  local now last
  now=$(date +%s%N) last=$(<"$folder/nonce")
  echo "$((now > last ? now : last + 1))" | tee "$folder/nonce"
}

send() { # send METHOD PATH BODY KEY: makes one attempt, and prints status and Retry-After. 000: no complete response
  local nonce
  nonce=$(next_nonce)
  : >"$folder/answer"
  curl -sS -X "$1" "$PARTNER_BASE_URL$2" ${3:+--json "$3"} ${4:+-H "Idempotency-Key: $4"} --max-time "$time_limit" \
    -H "API-Key: $PARTNER_API_KEY" -H "API-Nonce: $nonce" -H "API-Sign: $(sign "$2" "$nonce" "$3")" \
    -o "$folder/answer" -w '%{http_code} %header{retry-after}\n' 2>"$folder/reason" || echo '000'
}

# judge METHOD KEY STATUS CODE prints the outcome of a write, and succeeds if the write may be retried, by the table of
# retries in docs/reference/protocol.md.
judge() {
  local safe=$2
  case $1 in GET | DELETE) safe=yes ;; esac
  case $3 in
    2*) echo applied && [ "$1" = GET ] ;; # damaged on its way
    429) echo not_applied ;;
    000 | 502 | 503 | 504) echo unknown && [ -n "$safe" ] ;;
    501) if [ -n "$4" ]; then echo not_applied && false; else echo unknown && [ -n "$safe" ]; fi ;;
    5*) echo unknown && [ -n "$safe" ] && [ -z "$4" ] ;;
    408) echo unknown && false ;;
    4*) echo not_applied && false ;;
    *) echo unknown && false ;;
  esac
}

pause() { # pause RETRY_AFTER ATTEMPT: what Retry-After says, seconds or a date, or a random wait with a growing limit
  local time
  if [[ $1 =~ ^[0-9]+$ ]]; then
    sleep "$1"
  elif [ -n "$1" ] && time=$(date -d "$1" +%s 2>/dev/null); then
    time=$((time - $(date +%s)))
    sleep "$((time > 0 ? time : 0))"
  else
    sleep "$(printf '%d.%03d' $((RANDOM % $2)) $((RANDOM % 1000)))"
  fi
}

# call METHOD PATH [BODY [KEY]] prints the response. Store the idempotency key of a write before, so that a retry has no
# second effect. A failure is printed on stderr, for a write with its outcome: not_applied, applied or unknown. If
# unknown, look, or retry with its idempotency key.
call() {
  local method=$1 path=$2 body=${3-} key=${4-} outcome='' attempt status retry_after text code may_retry now shown
  for ((attempt = 1; ; attempt++)); do
    read -r status retry_after <<<"$(send "$method" "$path" "$body" "$key" | tail -n 1)"
    text=$(tr -d '\0' <"$folder/answer")
    [ "$status" != 000 ] || text="no response ($(<"$folder/reason"))"
    if [[ $status == 2* ]] && { [[ $text == \{*\} ]] || [ "$method$text" = "${method#GET}" ]; }; then
      printf '%s\n' "$text"
      return
    fi
    code=$(member code <<<"$text") || code=''
    may_retry=yes
    now=$(judge "$method" "$key" "$status" "$code") || may_retry=''
    # No later rejection settles an unknown outcome.
    [ "$method" = GET ] || { [ "$outcome" = unknown ] && [ "$now" != applied ]; } || outcome=$now
    [ -n "$may_retry" ] && [ "$attempt" -lt "$attempts" ] || break
    pause "$retry_after" "$attempt"
  done
  shown=${text:0:80}
  [ -z "$code" ] || shown="$code $(member instance <<<"$text")"
  [ "$status" = 000 ] || shown="$status $shown"
  echo "$shown${outcome:+: $outcome, key ${key:-none}}" >&2
  return 1
}

member() { grep -o "\"$1\":\"[^\"]*\"" | head -n 1 | cut -d '"' -f 4; } # jq reads JSON as it should be read
failed() { echo "failed $(<"$folder/failure")" >&2; exit 1; }

account=/v1/accounts/$PARTNER_ACCOUNT_ID
page=$(call GET "$account/on-demand-conversions?page_size=2" 2>"$folder/failure") || failed
echo "conversions $(grep -o '"updated_at"' <<<"$page" | wc -l)"
sides='{"from": {"symbol": "USD", "type": "fiat", "amount": "100.00"}, "to": {"symbol": "BTC", "type": "crypto"}}'
key=$(cat /proc/sys/kernel/random/uuid)
echo "key $key" # a product stores it together with its purpose
id=$(call POST "$account/quotes" "$sides" "$key" 2>"$folder/failure" | member id) || failed
quote=$(call GET "$account/quotes/$id" 2>"$folder/failure") || failed
echo "quote $(member status <<<"$quote") $(sed 's/.*"to"://' <<<"$quote" | member amount)"
error=$(call GET "$account/quotes/none" 2>&1) || echo "error $error"
