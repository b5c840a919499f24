#!/usr/bin/env bash
# Signs requests and calls the API: bash, curl 7.82 or later, openssl.
set -euo pipefail
secret=$(printf %s "$PARTNER_API_SECRET" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \n')

sign() { # sign PATH NONCE BODY
  { printf %s "$1"; printf %s "$2$3" | openssl dgst -sha256 -binary; } |
    openssl dgst -sha512 -mac HMAC -macopt "hexkey:$secret" -binary | openssl base64 -A
}

call() { # call METHOD PATH [BODY]: the bytes of BODY are signed and sent
  local key nonce attempt status answer=${TMPDIR:-/tmp}/answer.$$
  key=$(cat /proc/sys/kernel/random/uuid) # one for all attempts: a repeat has no second effect
  for attempt in 1 2 3; do
    nonce=$(date +%s%N) # rises with every request, repeats too
    status=$(curl -sS -X "$1" "$PARTNER_BASE_URL$2" ${3:+--json "$3"} -o "$answer" -w '%{http_code}' \
      -H "API-Key: $PARTNER_API_KEY" -H "API-Nonce: $nonce" -H "API-Sign: $(sign "$2" "$nonce" "${3-}")" \
      ${3:+-H "Idempotency-Key: $key"})
    case $status in 429 | 503 | 504) [ $attempt = 3 ] || { sleep $attempt; continue; } ;; esac
    break
  done
  printf '%s %s\n' "$status" "$(cat "$answer")"
  rm "$answer"
}

member() { grep -o "\"$1\":\"[^\"]*\"" | cut -d '"' -f 4; } # jq reads JSON as it should be read

account=/v1/accounts/$PARTNER_ACCOUNT_ID
echo "conversions $(call GET "$account/on-demand-conversions?page_size=2" | member updated_at | wc -l)"
sides='{"from": {"symbol": "USD", "type": "fiat", "amount": "100.00"}, "to": {"symbol": "BTC", "type": "crypto"}}'
id=$(call POST "$account/quotes" "$sides" | member id)
quote=$(call GET "$account/quotes/$id")
echo "quote $(member status <<<"$quote") $(sed 's/.*"to"://' <<<"$quote" | member amount | head -1)"
error=$(call GET "$account/quotes/none")
echo "error ${error%% *} $(member code <<<"$error") $(member instance <<<"$error")"
