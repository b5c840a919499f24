#!/usr/bin/env bash
# Receives one webhook from its standard input and proves who sent it: bash, openssl, and socat to listen:
#   socat TCP-LISTEN:3000,bind=127.0.0.1,fork,reuseaddr EXEC:./receiver.sh
set -euo pipefail
secret=$(printf %s "$PARTNER_WEBHOOK_SECRET" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \n')
body=$(mktemp)
trap 'rm "$body"' EXIT

is_proven() { # is_proven X-SIGNATURE
  local time expected part proven=1
  time=$(tr , '\n' <<<"$1" | sed -n 's/^t=\([0-9]\{1,12\}\)$/\1/p')
  [ "$(wc -w <<<"$time")" = 1 ] && [ $(($(date +%s) - time)) -le 300 ] && [ $((time - $(date +%s))) -le 300 ] || return 1
  expected=$({ printf %s "$time."; cat "$body"; } | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$secret" | sed 's/.* //')
  # While secrets are rotated, a delivery has a v1 for each of them. Both sides are hashed: the time tells nothing.
  for part in ${1//,/ }; do
    [ "$(openssl dgst -sha256 <<<"${part#v1=}")" != "$(openssl dgst -sha256 <<<"$expected")" ] || proven=0
  done
  return $proven
}

# Takes both forms, {"type": …} and the flat {"event_type": …}. X-Webhook-Event is not signed, and so not asked.
kind_of() { # jq reads JSON as it should be read
  grep -oE '"(event_)?type" *: *"[^"]*"' "$body" | head -n 1 | cut -d '"' -f 4 | grep . || echo unknown
}

length=0 signature='' event=''
while IFS= read -r line && line=${line%$'\r'} && [ -n "$line" ]; do
  case ${line,,} in
    content-length:*) length=${line#*: } ;;
    x-signature:*) signature=${line#*: } ;;
    x-webhook-id:*) event=${line#*: } ;;
  esac
done
head -c "$length" >"$body" # the raw bytes
status='400 Bad Request'
if is_proven "$signature"; then
  status='200 OK'
  # The same event may come more than once: of several programs, one makes the folder.
  mkdir "${PARTNER_EVENTS:-/tmp}/event-$(openssl dgst -sha256 <<<"$event" | sed 's/.* //')" 2>/dev/null &&
    echo "event $(kind_of)" >&2
fi
printf 'HTTP/1.1 %s\r\nContent-Length: 0\r\nConnection: close\r\n\r\n' "$status"
