// Signs requests and calls the API: Go 1.19 or later, its standard library alone.
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"time"
)

var lastNonce int64

func sign(secret []byte, path, nonce string, body []byte) string {
	inner := sha256.Sum256(append([]byte(nonce), body...))
	mac := hmac.New(sha512.New, secret)
	mac.Write(append([]byte(path), inner[:]...))
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

func uuid() string {
	var b [16]byte
	must(rand.Read(b[:]))
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[0:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// call reads the answer's data into value. It signs and sends exactly the bytes of body.
func call(method, path, body string, value any) error {
	key := uuid() // one for all attempts: a repeat has no second effect
	for attempt := 1; ; attempt++ {
		// Rises with every request, repeats too. Goroutines would need a mutex here.
		if lastNonce++; lastNonce < time.Now().UnixNano() {
			lastNonce = time.Now().UnixNano()
		}
		nonce := strconv.FormatInt(lastNonce, 10)
		secret := must(base64.StdEncoding.DecodeString(os.Getenv("PARTNER_API_SECRET")))
		request := must(http.NewRequest(method, os.Getenv("PARTNER_BASE_URL")+path, bytes.NewReader([]byte(body))))
		request.Header.Set("API-Key", os.Getenv("PARTNER_API_KEY"))
		request.Header.Set("API-Nonce", nonce)
		request.Header.Set("API-Sign", sign(secret, path, nonce, []byte(body)))
		if method == "POST" {
			request.Header.Set("Content-Type", "application/json")
			request.Header.Set("Idempotency-Key", key)
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			return err // lost: send it again with the same key, or look
		}
		answer := struct {
			Data  any
			Error struct{ Code, Instance string }
		}{Data: value}
		err = json.NewDecoder(response.Body).Decode(&answer)
		response.Body.Close()
		status := response.StatusCode
		if (status == 429 || status == 503 || status == 504) && attempt < 3 {
			seconds, err := strconv.Atoi(response.Header.Get("Retry-After"))
			if err != nil {
				seconds = attempt
			}
			time.Sleep(time.Duration(seconds) * time.Second)
		} else if status >= 300 {
			return fmt.Errorf("%d %s %s", status, answer.Error.Code, answer.Error.Instance)
		} else {
			return err
		}
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	account := "/v1/accounts/" + os.Getenv("PARTNER_ACCOUNT_ID")
	var conversions []any
	must(0, call("GET", account+"/on-demand-conversions?page_size=2", "", &conversions))
	fmt.Println("conversions", len(conversions))
	var quote struct {
		ID, Status string
		To         struct{ Amount string }
	}
	sides := `{"from": {"symbol": "USD", "type": "fiat", "amount": "100.00"}, "to": {"symbol": "BTC", "type": "crypto"}}`
	must(0, call("POST", account+"/quotes", sides, &quote))
	must(0, call("GET", account+"/quotes/"+quote.ID, "", &quote))
	fmt.Println("quote", quote.Status, quote.To.Amount)
	fmt.Println("error", call("GET", account+"/quotes/none", "", nil))
}
