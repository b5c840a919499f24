// Receives webhooks and proves who sent them: Go 1.19 or later, its standard library alone.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

func isProven(secret []byte, header string, body []byte) bool {
	var times, signatures []string
	for _, part := range strings.Split(header, ",") {
		name, value, _ := strings.Cut(part, "=")
		switch name {
		case "t":
			times = append(times, value)
		case "v1": // while secrets are rotated, a delivery has one for each of them
			signatures = append(signatures, value)
		}
	}
	if len(times) != 1 {
		return false
	}
	sent, err := strconv.ParseInt(times[0], 10, 64)
	if age := time.Now().Unix() - sent; err != nil || age > 300 || age < -300 {
		return false
	}
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(times[0] + "."))
	mac.Write(body)
	expected := hex.EncodeToString(mac.Sum(nil))
	for _, signature := range signatures {
		if hmac.Equal([]byte(signature), []byte(expected)) {
			return true
		}
	}
	return false
}

// kindOf takes both forms, {"type": …} and the flat {"event_type": …}. X-Webhook-Event is not signed, and so not asked.
func kindOf(body []byte) string {
	var event struct {
		Type string
		Flat string `json:"event_type"`
	}
	json.Unmarshal(body, &event)
	switch {
	case event.Flat != "":
		return event.Flat
	case event.Type != "":
		return event.Type
	}
	return "unknown"
}

func main() {
	secret, err := base64.StdEncoding.DecodeString(os.Getenv("PARTNER_WEBHOOK_SECRET"))
	if err != nil {
		panic(err)
	}
	var handled sync.Map // in a database, together with the effect, if a second one would do harm
	receive := func(response http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, 1<<20)) // the raw bytes
		if err != nil || !isProven(secret, request.Header.Get("X-Signature"), body) {
			response.WriteHeader(http.StatusBadRequest)
			return
		}
		// The same event may come more than once.
		if _, repeated := handled.LoadOrStore(request.Header.Get("X-Webhook-ID"), true); !repeated {
			fmt.Println("event", kindOf(body))
		}
	}
	port := os.Getenv("PORT")
	if port == "" {
		port = "3000"
	}
	listener, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		panic(err)
	}
	fmt.Println("listening", listener.Addr().(*net.TCPAddr).Port)
	panic(http.Serve(listener, http.HandlerFunc(receive)))
}
