// Receives webhooks and proves who sent them: java Receiver.java (Java 17 or later, its standard library alone)
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import static java.nio.charset.StandardCharsets.UTF_8;

class Receiver {
    static final byte[] SECRET = Base64.getDecoder().decode(System.getenv("PARTNER_WEBHOOK_SECRET"));
    /** In a database, together with the effect, if a second one would do harm. */
    static final Set<String> HANDLED = ConcurrentHashMap.newKeySet();

    static boolean isProven(String header, byte[] body) throws Exception {
        var parts = Arrays.stream(header.split(",")).map(part -> part.split("=", 2)).filter(part -> part.length == 2).toList();
        var times = parts.stream().filter(part -> part[0].equals("t") && part[1].matches("\\d{1,12}")).toList();
        if (times.size() != 1) return false;
        var time = times.get(0)[1];
        if (Math.abs(System.currentTimeMillis() / 1000 - Long.parseLong(time)) > 300) return false;
        var hmac = Mac.getInstance("HmacSHA256");
        hmac.init(new SecretKeySpec(SECRET, "HmacSHA256"));
        hmac.update((time + ".").getBytes(UTF_8));
        var expected = HexFormat.of().formatHex(hmac.doFinal(body)).getBytes(UTF_8);
        // While secrets are rotated, a delivery has a v1 for each of them.
        return parts.stream().anyMatch(part -> part[0].equals("v1") && MessageDigest.isEqual(part[1].getBytes(UTF_8), expected));
    }

    /**
     * Takes both forms, {"type": …} and the flat {"event_type": …}. X-Webhook-Event is not signed, and so not asked.
     * Java has no JSON in its library: a program would use Jackson or Gson here.
     */
    static String kindOf(byte[] body) {
        var kind = Pattern.compile("\"(?:event_)?type\"\\s*:\\s*\"([^\"]*)\"").matcher(new String(body, UTF_8));
        return kind.find() ? kind.group(1) : "unknown";
    }

    public static void main(String[] arguments) throws Exception {
        int port = Integer.parseInt(Optional.ofNullable(System.getenv("PORT")).orElse("3000"));
        var server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
        server.createContext("/", exchange -> {
            try (exchange) {
                var body = exchange.getRequestBody().readAllBytes(); // the raw bytes
                var headers = exchange.getRequestHeaders();
                var proven = isProven(Optional.ofNullable(headers.getFirst("X-Signature")).orElse(""), body);
                // The same event may come more than once.
                if (proven && HANDLED.add(Optional.ofNullable(headers.getFirst("X-Webhook-ID")).orElse(""))) {
                    System.out.println("event " + kindOf(body));
                }
                exchange.sendResponseHeaders(proven ? 200 : 400, -1);
            } catch (Exception error) {
                throw new IllegalStateException(error);
            }
        });
        server.start();
        System.out.println("listening " + server.getAddress().getPort());
    }
}
