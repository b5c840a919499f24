// Signs requests and calls the API: java Client.java (Java 17 or later, its standard library alone)
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.UUID;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import static java.nio.charset.StandardCharsets.UTF_8;

class Client {
    static final byte[] SECRET = Base64.getDecoder().decode(System.getenv("PARTNER_API_SECRET"));
    static final HttpClient HTTP = HttpClient.newHttpClient();
    static long lastNonce;

    static String sign(String path, String nonce, byte[] body) throws Exception {
        var sha256 = MessageDigest.getInstance("SHA-256");
        sha256.update(nonce.getBytes(UTF_8));
        var hmac = Mac.getInstance("HmacSHA512");
        hmac.init(new SecretKeySpec(SECRET, "HmacSHA512"));
        hmac.update(path.getBytes(UTF_8));
        return Base64.getEncoder().encodeToString(hmac.doFinal(sha256.digest(body)));
    }

    /** Rises with every request of every thread, repeats too. */
    static synchronized String nonce() {
        var now = Instant.now();
        lastNonce = Math.max(now.getEpochSecond() * 1_000_000_000L + now.getNano(), lastNonce + 1);
        return Long.toString(lastNonce);
    }

    /** Returns the answer's text. It signs and sends exactly the bytes of the body. */
    static String call(String method, String path, String body) throws Exception {
        var bytes = body.getBytes(UTF_8);
        var key = UUID.randomUUID().toString(); // one for all attempts: a repeat has no second effect
        for (int attempt = 1; ; attempt++) {
            var nonce = nonce();
            var request = HttpRequest.newBuilder(URI.create(System.getenv("PARTNER_BASE_URL") + path))
                .timeout(Duration.ofSeconds(30))
                .header("API-Key", System.getenv("PARTNER_API_KEY"))
                .header("API-Nonce", nonce)
                .header("API-Sign", sign(path, nonce, bytes))
                .method(method, HttpRequest.BodyPublishers.ofByteArray(bytes));
            if (method.equals("POST")) request.header("Content-Type", "application/json").header("Idempotency-Key", key);
            var response = HTTP.send(request.build(), BodyHandlers.ofString());
            int status = response.statusCode();
            var text = response.body();
            if (status < 300) return text;
            if ((status != 429 && status != 503 && status != 504) || attempt == 3)
                throw new IllegalStateException(status + " " + member(text, "code") + " " + member(text, "instance"));
            Thread.sleep(1000 * response.headers().firstValueAsLong("Retry-After").orElse(attempt));
        }
    }

    /** Java has no JSON in its library: a program would use Jackson or Gson here. */
    static String member(String json, String name) {
        var found = Pattern.compile('"' + name + "\":\"([^\"]*)\"").matcher(json);
        return found.find() ? found.group(1) : "";
    }

    public static void main(String[] arguments) throws Exception {
        var account = "/v1/accounts/" + System.getenv("PARTNER_ACCOUNT_ID");
        var page = call("GET", account + "/on-demand-conversions?page_size=2", "");
        System.out.println("conversions " + (page.split("\"updated_at\"").length - 1));
        var sides = """
            {"from": {"symbol": "USD", "type": "fiat", "amount": "100.00"}, "to": {"symbol": "BTC", "type": "crypto"}}""";
        var id = member(call("POST", account + "/quotes", sides), "id");
        var quote = call("GET", account + "/quotes/" + id, "");
        System.out.println("quote " + member(quote, "status") + " " + member(quote.split("\"to\"")[1], "amount"));
        try {
            call("GET", account + "/quotes/none", "");
        } catch (IllegalStateException error) {
            System.out.println("error " + error.getMessage());
        }
    }
}
