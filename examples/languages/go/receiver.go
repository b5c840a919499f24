// Receives webhooks and verifies who sent them: Go 1.19 or later, its standard library alone.
package main

import (
	"bytes"
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

func isVerified(secret []byte, header string, body []byte) bool {
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

// identify returns the kind of an event, and the id by which a duplicate of its delivery is known.
//
// Only an envelope, {"id": …, "type": …, "data": {…}}, has an id of its own. The id of the flat form, {"event_type": …},
// is that of the resource, and X-Webhook-ID is that of the subscription. Other events have the same ids.
func identify(body []byte, headerKind string) (kind, deliveryID string) {
	var event map[string]json.RawMessage // unlike those of a struct, its names are exact
	json.Unmarshal(body, &event)
	text := func(name string) (value string) {
		json.Unmarshal(event[name], &value)
		return value
	}
	flat, kind, id := text("event_type"), text("type"), text("id")
	switch {
	case flat != "":
		return flat, hashOf(body)
	case kind != "" && id != "" && bytes.HasPrefix(event["data"], []byte("{")):
		return kind, id
	case kind != "":
		return kind, hashOf(body)
	case headerKind != "": // isn't signed, so under another kind the same bytes are another event
		return headerKind, hashOf([]byte(headerKind+"\n"), body)
	}
	return "unknown", hashOf(body)
}

func hashOf(parts ...[]byte) string {
	return fmt.Sprintf("%x", sha256.Sum256(bytes.Join(parts, nil)))
}

func main() {
	secret, err := base64.StdEncoding.DecodeString(os.Getenv("PARTNER_WEBHOOK_SECRET"))
	if err != nil {
		panic(err)
	}
	var handled sync.Map // if a second effect would do harm, store the ids in a database, together with the effect
	receive := func(response http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, 1<<20)) // the raw bytes
		if err != nil || !isVerified(secret, request.Header.Get("X-Signature"), body) {
			response.WriteHeader(http.StatusBadRequest)
			return
		}
		kind, deliveryID := identify(body, request.Header.Get("X-Webhook-Event"))
		if _, duplicate := handled.LoadOrStore(deliveryID, true); !duplicate { // the service may deliver an event twice
			fmt.Println("event", kind, deliveryID)
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
