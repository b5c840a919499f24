# npx partner-sandbox > sandbox.log runs in the background.
eval "$(grep ^export sandbox.log)"
account=$(sed -n 's/^# accountId //p' sandbox.log)

call() { # call METHOD PATH [BODY [options of curl]]
  local method=$1 path=$2 body=${3-} nonce key sign
  nonce=$(date +%s%N)
  key=$(printf %s "$PARTNER_API_SECRET" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \n')
  sign=$({ printf %s "$path"; printf %s "$nonce$body" | openssl dgst -sha256 -binary; } |
    openssl dgst -sha512 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)
  curl -sS --fail-with-body -X "$method" "$PARTNER_BASE_URL$path" ${body:+--json "$body"} "${@:4}" \
    -H "API-Key: $PARTNER_API_KEY" -H "API-Nonce: $nonce" -H "API-Sign: $sign"
}

call GET "/v1/accounts/$account/on-demand-conversions?page_size=1"
call POST "/v1/accounts/$account/quotes" \
  '{"from": {"symbol": "USD", "type": "fiat", "amount": "100.00"}, "to": {"symbol": "BTC", "type": "crypto"}}' \
  -H 'Idempotency-Key: 5f0c6a1e-3b7d-4c52-9a86-2d1e7f4b8c90'
