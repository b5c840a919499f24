// Signs requests and calls the API: Go 1.19 or later, its standard library alone.
//
// Retries what docs/reference/protocol.md calls safe: same bytes and idempotency key, new nonce and signature.
package main

import (
	"crypto/hmac"
	cryptorand "crypto/rand"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math/rand"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

const attempts = 3

var (
	lastNonce int64
	client    = &http.Client{
		Timeout: timeLimit(), // of an attempt
		// If a kept connection breaks, Go itself sends the request again, with the same nonce.
		Transport:     &http.Transport{Proxy: http.ProxyFromEnvironment, DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
)

// CallFailed has the outcome of a write: not_applied, applied or unknown. If unknown, look, or retry with its
// idempotency key.
type CallFailed struct {
	Status             int
	What, Outcome, Key string
}

func (failed *CallFailed) Error() string { return failed.What }

func timeLimit() time.Duration {
	if limit, err := time.ParseDuration(os.Getenv("PARTNER_TIME_LIMIT_S") + "s"); err == nil {
		return limit
	}
	return 30 * time.Second
}

func sign(header http.Header, path, body string) {
	// Rises with every request, also with a retry. Goroutines would need a mutex here.
	if lastNonce++; lastNonce < time.Now().UnixNano() {
		lastNonce = time.Now().UnixNano()
	}
	nonce := strconv.FormatInt(lastNonce, 10)
	inner := sha256.Sum256([]byte(nonce + body))
	mac := hmac.New(sha512.New, must(base64.StdEncoding.DecodeString(os.Getenv("PARTNER_API_SECRET"))))
	mac.Write(append([]byte(path), inner[:]...))
	header.Set("API-Key", os.Getenv("PARTNER_API_KEY"))
	header.Set("API-Nonce", nonce)
	header.Set("API-Sign", base64.StdEncoding.EncodeToString(mac.Sum(nil)))
}

func uuid() string {
	var b [16]byte
	must(cryptorand.Read(b[:]))
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[0:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// send makes one attempt. Status 0: no complete response arrived, and text says why.
func send(method, path, body, key string) (status int, retryAfter string, text []byte) {
	request := must(http.NewRequest(method, os.Getenv("PARTNER_BASE_URL")+path, strings.NewReader(body)))
	sign(request.Header, path, body)
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	if key != "" {
		request.Header.Set("Idempotency-Key", key)
	}
	response, err := client.Do(request)
	if err == nil {
		defer response.Body.Close()
		text, err = io.ReadAll(response.Body)
	}
	if err != nil {
		return 0, "", []byte("no response (" + err.Error() + ")")
	}
	return response.StatusCode, response.Header.Get("Retry-After"), text
}

// judge says whether to retry, and the outcome of a write, by the table of retries in docs/reference/protocol.md.
func judge(method, key, code string, status int) (mayRetry bool, outcome string) {
	isSafe := key != "" || method == "GET" || method == "DELETE"
	switch {
	case status/100 == 2: // damaged on its way
		return method == "GET", "applied"
	case status == 429:
		return true, "not_applied"
	case status/100 == 4 && status != 408, status == 501 && code != "":
		return false, "not_applied"
	case status == 0, status == 502, status == 503, status == 504:
		return isSafe, "unknown"
	}
	return isSafe && status >= 500 && code == "", "unknown"
}

// wait returns how long to wait: what Retry-After says (seconds or a date), or a random time with a growing limit.
func wait(retryAfter string, attempt int) time.Duration {
	if seconds, err := strconv.Atoi(retryAfter); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if date, err := http.ParseTime(retryAfter); err == nil {
		return time.Until(date)
	}
	return time.Duration(rand.Int63n(int64(attempt) * int64(time.Second)))
}

// call reads the response's data into value. It signs and sends exactly the bytes of body. Store the idempotency key
// of a write before, so that a retry has no second effect.
func call(method, path, body, key string, value any) error {
	outcome := ""
	for attempt := 1; ; attempt++ {
		status, retryAfter, text := send(method, path, body, key)
		answer := struct {
			Data  any
			Error struct{ Code, Instance string }
		}{Data: value}
		err := json.Unmarshal(text, &answer) // fails with HTML: a gateway may respond so
		if status/100 == 2 && (err == nil || method != "GET" && len(text) == 0) {
			return nil
		}
		code := answer.Error.Code
		mayRetry, now := judge(method, key, code, status)
		if method != "GET" && (outcome != "unknown" || now == "applied") { // no later rejection settles an unknown outcome
			outcome = now
		}
		if mayRetry && attempt < attempts {
			time.Sleep(wait(retryAfter, attempt))
			continue
		}
		what := string(text)
		if code != "" {
			what = fmt.Sprintf("%d %s %s", status, code, answer.Error.Instance)
		} else if status != 0 {
			what = fmt.Sprintf("%d %.80s", status, text)
		}
		if outcome != "" {
			what += ": " + outcome + ", key " + key
		}
		return &CallFailed{status, what, outcome, key}
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, "failed", err)
		os.Exit(1)
	}
	return value
}

func main() {
	account := "/v1/accounts/" + os.Getenv("PARTNER_ACCOUNT_ID")
	var conversions []any
	must(0, call("GET", account+"/on-demand-conversions?page_size=2", "", "", &conversions))
	fmt.Println("conversions", len(conversions))
	var quote struct {
		ID, Status string
		To         struct{ Amount string }
	}
	sides := `{"from": {"symbol": "USD", "type": "fiat", "amount": "100.00"}, "to": {"symbol": "BTC", "type": "crypto"}}`
	key := uuid()
	fmt.Println("key", key) // a product stores it together with its purpose
	must(0, call("POST", account+"/quotes", sides, key, &quote))
	must(0, call("GET", account+"/quotes/"+quote.ID, "", "", &quote))
	fmt.Println("quote", quote.Status, quote.To.Amount)
	fmt.Println("error", call("GET", account+"/quotes/none", "", "", nil))
}
