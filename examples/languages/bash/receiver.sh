#!/usr/bin/env bash
# Receives one webhook from its standard input and verifies who sent it: bash, openssl, jq, and socat to listen:
#   socat TCP-LISTEN:3000,bind=127.0.0.1,fork,reuseaddr EXEC:./receiver.sh
set -euo pipefail
secret=$(printf %s "$PARTNER_WEBHOOK_SECRET" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \n')
body=$(mktemp)
trap 'rm "$body"' EXIT

is_verified() { # is_verified X-SIGNATURE
  local time expected part verified=1
  time=$(tr , '\n' <<<"$1" | sed -n 's/^t=\([0-9]\{1,12\}\)$/\1/p')
  [ "$(wc -w <<<"$time")" = 1 ] && [ $(($(date +%s) - time)) -le 300 ] && [ $((time - $(date +%s))) -le 300 ] || return 1
  expected=$({ printf %s "$time."; cat "$body"; } | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$secret" | sed 's/.* //')
  # While secrets are rotated, a delivery has a v1 for each of them. Both sides are hashed, so that the time of
  # the comparison reveals nothing.
  for part in ${1//,/ }; do
    [ "$(openssl dgst -sha256 <<<"${part#v1=}")" != "$(openssl dgst -sha256 <<<"$expected")" ] || verified=0
  done
  return $verified
}

# Prints the kind that the body names and, on a second line, the id of the event. Only an envelope has such an id,
# {"id": …, "type": …, "data": {…}}. The id of the flat form, {"event_type": …}, is that of the resource, and
# X-Webhook-ID is that of the subscription. Other events have the same ids.
read_event() {
  jq -r 'objects | [.event_type, .type, .id | if type == "string" then . else "" end] as [$flat, $kind, $id] |
    if $flat != "" then $flat, "" else $kind, if (.data | type) == "object" then $id else "" end end' "$body" 2>/dev/null
}

hash_of() { openssl dgst -sha256 | sed 's/.* //'; }

length=0 signature='' header_kind=''
while IFS= read -r line && line=${line%$'\r'} && [ -n "$line" ]; do
  case ${line,,} in
    content-length:*) length=${line#*: } ;;
    x-signature:*) signature=${line#*: } ;;
    x-webhook-event:*) header_kind=${line#*: } ;;
  esac
done
head -c "$length" >"$body" # the raw bytes
status='400 Bad Request'
if is_verified "$signature"; then
  status='200 OK'
  { IFS= read -r kind && IFS= read -r id; } < <(read_event) || kind='' id=''
  if [ -z "$kind" ]; then # X-Webhook-Event isn't signed, so under another kind the same bytes are another event
    kind=${header_kind:-unknown} id=$({ [ -z "$header_kind" ] || echo "$header_kind"; cat "$body"; } | hash_of)
  fi
  id=${id:-$(hash_of <"$body")}
  # The service may deliver an event more than once: of several programs, one makes the folder.
  mkdir "${PARTNER_EVENTS:-/tmp}/event-$(printf %s "$id" | hash_of)" 2>/dev/null && echo "event $kind $id" >&2
fi
printf 'HTTP/1.1 %s\r\nContent-Length: 0\r\nConnection: close\r\n\r\n' "$status"
