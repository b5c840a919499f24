// Receives webhooks and verifies who sent them: java Receiver.java (Java 17 or later, its standard library alone)
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import static java.nio.charset.StandardCharsets.UTF_8;

class Receiver {
    static final byte[] SECRET = Base64.getDecoder().decode(System.getenv("PARTNER_WEBHOOK_SECRET"));
    /** If a second effect would do harm, store the ids in a database, together with the effect. */
    static final Set<String> HANDLED = ConcurrentHashMap.newKeySet();

    static boolean isVerified(String header, byte[] body) throws Exception {
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

    /** The kind of an event, and the id by which a duplicate of its delivery is known. */
    record Identity(String kind, String deliveryId) {}

    /**
     * Only an envelope, {"id": …, "type": …, "data": {…}}, has an id of its own. The id of the flat form,
     * {"event_type": …}, is that of the resource, and X-Webhook-ID is that of the subscription. Other events
     * have the same ids.
     */
    static Identity identify(byte[] body, String headerKind) throws Exception {
        var members = membersOf(new String(body, UTF_8));
        String flat = text(members, "event_type"), kind = text(members, "type"), id = text(members, "id");
        if (!flat.isEmpty()) return new Identity(flat, hashOf("", body));
        if (!kind.isEmpty() && !id.isEmpty() && "{".equals(members.get("data"))) return new Identity(kind, id);
        if (!kind.isEmpty()) return new Identity(kind, hashOf("", body));
        // X-Webhook-Event isn't signed, so under another kind the same bytes are another event.
        if (!headerKind.isEmpty()) return new Identity(headerKind, hashOf(headerKind + "\n", body));
        return new Identity("unknown", hashOf("", body));
    }

    static String hashOf(String prefix, byte[] body) throws Exception {
        var sha256 = MessageDigest.getInstance("SHA-256");
        sha256.update(prefix.getBytes(UTF_8));
        return HexFormat.of().formatHex(sha256.digest(body));
    }

    /**
     * Returns the names of a JSON object with the token that each value begins with: a whole string, or one character.
     * Java's library does not read JSON, so a product would use Jackson or Gson here.
     */
    static Map<String, String> membersOf(String json) {
        var members = new HashMap<String, String>();
        var tokens = Pattern.compile("\"(?:[^\"\\\\]++|\\\\.)*+\"|[^\\s\"]").matcher(json);
        var depth = json.strip().startsWith("{") ? 0 : 1; // members of another value are deeper than those of an object
        String name = null;
        while (tokens.find()) {
            var token = tokens.group();
            if (token.matches("[]}]")) depth--;
            else if (depth == 1 && token.equals(",")) name = null;
            else if (depth == 1 && name == null) name = unquoted(token);
            else if (depth == 1 && !token.equals(":")) members.put(name, token);
            if (token.matches("[\\[{]")) depth++;
        }
        return members;
    }

    static String text(Map<String, String> members, String name) {
        var token = members.getOrDefault(name, "");
        return token.startsWith("\"") ? unquoted(token) : "";
    }

    static String unquoted(String token) {
        return Pattern.compile("\\\\(u(.{4})|.)").matcher(token.replaceAll("^\"|\"$", "")).replaceAll(escape ->
            Matcher.quoteReplacement(escape.group(2) != null ? "" + (char) Integer.parseInt(escape.group(2), 16)
                : escape.group().equals("\\/") ? "/" : escape.group().translateEscapes()));
    }

    public static void main(String[] arguments) throws Exception {
        int port = Integer.parseInt(Optional.ofNullable(System.getenv("PORT")).orElse("3000"));
        var server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
        server.createContext("/", exchange -> {
            try (exchange) {
                var body = exchange.getRequestBody().readAllBytes(); // the raw bytes
                var headers = exchange.getRequestHeaders();
                var verified = isVerified(Optional.ofNullable(headers.getFirst("X-Signature")).orElse(""), body);
                if (verified) {
                    var event = identify(body, Optional.ofNullable(headers.getFirst("X-Webhook-Event")).orElse(""));
                    // The service may deliver an event more than once.
                    if (HANDLED.add(event.deliveryId())) System.out.println("event " + event.kind() + " " + event.deliveryId());
                }
                exchange.sendResponseHeaders(verified ? 200 : 400, -1);
            } catch (Exception error) {
                throw new IllegalStateException(error);
            }
        });
        server.start();
        System.out.println("listening " + server.getAddress().getPort());
    }
}
