// Signs requests and calls the API: java Client.java (Java 17 or later, its standard library alone)
//
// Retries what docs/reference/protocol.md calls safe: same bytes and idempotency key, new nonce and signature.
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Base64;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import static java.nio.charset.StandardCharsets.UTF_8;

class Client {
    static final int ATTEMPTS = 3;
    static final byte[] SECRET = Base64.getDecoder().decode(System.getenv("PARTNER_API_SECRET"));
    static final double TIME_LIMIT_S =
        Double.parseDouble(Optional.ofNullable(System.getenv("PARTNER_TIME_LIMIT_S")).orElse("30")); // of an attempt
    static final HttpClient HTTP;
    static long lastNonce;

    static {
        // Otherwise, if the connection of a GET breaks, Java itself sends the GET again, with the same nonce.
        System.setProperty("jdk.httpclient.redirects.retrylimit", "1");
        HTTP = HttpClient.newHttpClient();
    }

    /** `outcome` of a write: not_applied, applied or unknown. If unknown, look, or retry with its idempotency key. */
    static class CallFailed extends Exception {
        static final long serialVersionUID = 1;
        final int status;
        final String outcome, key;

        CallFailed(String what, int status, String outcome, String key) {
            super(outcome.isEmpty() ? what : what + ": " + outcome + ", key " + (key == null ? "none" : key));
            this.status = status;
            this.outcome = outcome;
            this.key = key;
        }
    }

    /** A response. Status 0: no complete response arrived. */
    record Reply(int status, String retryAfter, String text) {}

    static String sign(String path, String nonce, byte[] body) throws Exception {
        var sha256 = MessageDigest.getInstance("SHA-256");
        sha256.update(nonce.getBytes(UTF_8));
        var hmac = Mac.getInstance("HmacSHA512");
        hmac.init(new SecretKeySpec(SECRET, "HmacSHA512"));
        hmac.update(path.getBytes(UTF_8));
        return Base64.getEncoder().encodeToString(hmac.doFinal(sha256.digest(body)));
    }

    /** Rises with every request of every thread, also with a retry. */
    static synchronized String nonce() {
        var now = Instant.now();
        lastNonce = Math.max(now.getEpochSecond() * 1_000_000_000L + now.getNano(), lastNonce + 1);
        return Long.toString(lastNonce);
    }

    /** Makes one attempt. */
    static Reply send(String method, String path, byte[] body, String key) throws Exception {
        var nonce = nonce();
        var request = HttpRequest.newBuilder(URI.create(System.getenv("PARTNER_BASE_URL") + path))
            .header("API-Key", System.getenv("PARTNER_API_KEY"))
            .header("API-Nonce", nonce)
            .header("API-Sign", sign(path, nonce, body))
            .method(method, HttpRequest.BodyPublishers.ofByteArray(body));
        if (body.length > 0) request.header("Content-Type", "application/json");
        if (key != null) request.header("Idempotency-Key", key);
        var sent = HTTP.sendAsync(request.build(), BodyHandlers.ofString());
        try {
            var response = sent.get((long) (TIME_LIMIT_S * 1000), TimeUnit.MILLISECONDS);
            return new Reply(response.statusCode(), response.headers().firstValue("Retry-After").orElse(""), response.body());
        } catch (ExecutionException lost) {
            return new Reply(0, "", "no response (" + lost.getCause() + ")");
        } catch (TimeoutException late) {
            sent.cancel(true);
            return new Reply(0, "", "no response (the time limit passed)");
        }
    }

    record Verdict(boolean mayRetry, String outcome) {}

    /** Says whether to retry, and the outcome of a write, by the table of retries in docs/reference/protocol.md. */
    static Verdict judge(String method, String key, int status, String code) {
        if (status / 100 == 2) return new Verdict(method.equals("GET"), "applied"); // damaged on its way
        if (status == 429) return new Verdict(true, "not_applied");
        if ((status / 100 == 4 && status != 408) || (status == 501 && !code.isEmpty())) return new Verdict(false, "not_applied");
        var isSafe = key != null || method.equals("GET") || method.equals("DELETE");
        var isTemporary = Set.of(0, 502, 503, 504).contains(status) || (status >= 500 && code.isEmpty());
        return new Verdict(isSafe && isTemporary, "unknown");
    }

    /** Returns how long to wait: what Retry-After says (seconds or a date), or a random time with a growing limit. */
    static long waitMillis(String retryAfter, int attempt) {
        if (retryAfter.matches("\\d{1,9}")) return 1000 * Long.parseLong(retryAfter);
        try {
            var date = ZonedDateTime.parse(retryAfter, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
            return Math.max(0, Duration.between(Instant.now(), date).toMillis());
        } catch (DateTimeParseException none) {
            return (long) (Math.random() * attempt * 1000);
        }
    }

    /**
     * Returns the response's body. It signs and sends exactly the bytes of the body. Store the idempotency key of a
     * write before, so that a retry has no second effect.
     */
    static String call(String method, String path, String body, String key) throws Exception {
        var outcome = "";
        for (int attempt = 1; ; attempt++) {
            var reply = send(method, path, body.getBytes(UTF_8), key);
            var text = reply.text;
            var isRead = method.equals("GET");
            if (reply.status / 100 == 2 && (text.matches("(?s)\\{.*}") || (!isRead && text.isEmpty()))) return text;
            var code = member(text, "code"); // none from a gateway, which may respond in HTML
            var verdict = judge(method, key, reply.status, code);
            // No later rejection settles an unknown outcome.
            if (!isRead && (!outcome.equals("unknown") || verdict.outcome.equals("applied"))) outcome = verdict.outcome;
            if (attempt == ATTEMPTS || !verdict.mayRetry) {
                var shown = code.isEmpty() ? text.substring(0, Math.min(80, text.length())) : code + " " + member(text, "instance");
                throw new CallFailed(reply.status == 0 ? text : reply.status + " " + shown, reply.status, outcome, key);
            }
            Thread.sleep(waitMillis(reply.retryAfter, attempt));
        }
    }

    /** Java has no JSON in its library: a program would use Jackson or Gson here. */
    static String member(String json, String name) {
        var found = Pattern.compile('"' + name + "\":\"([^\"]*)\"").matcher(json);
        return found.find() ? found.group(1) : "";
    }

    public static void main(String[] arguments) throws Exception {
        var account = "/v1/accounts/" + System.getenv("PARTNER_ACCOUNT_ID");
        try {
            var page = call("GET", account + "/on-demand-conversions?page_size=2", "", null);
            System.out.println("conversions " + (page.split("\"updated_at\"").length - 1));
            var sides = """
                {"from": {"symbol": "USD", "type": "fiat", "amount": "100.00"}, "to": {"symbol": "BTC", "type": "crypto"}}""";
            var key = UUID.randomUUID().toString();
            System.out.println("key " + key); // a product stores it together with its purpose
            var id = member(call("POST", account + "/quotes", sides, key), "id");
            var quote = call("GET", account + "/quotes/" + id, "", null);
            System.out.println("quote " + member(quote, "status") + " " + member(quote.split("\"to\"")[1], "amount"));
        } catch (CallFailed failure) {
            System.err.println("failed " + failure.getMessage());
            System.exit(1);
        }
        try {
            call("GET", account + "/quotes/none", "", null);
        } catch (CallFailed error) {
            System.out.println("error " + error.getMessage());
        }
    }
}
