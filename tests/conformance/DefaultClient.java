// Java's own HTTP client as it comes: it asks for HTTP/2 with the first request of every client (`Upgrade: h2c`), body and all.
// java DefaultClient.java: creates a match and plays a move, each with a fresh client, and tells as JSON what it saw.

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

public class DefaultClient {
    private static final String GATEWAY = System.getenv("GATEWAY");
    private static final String KEY = System.getenv("KEY");
    private static final String MATCH = "{\"game\": \"river_dragons\", \"seats\": 2}";
    private static final String MOVE = "{\"action\": {\"type\": \"submit_program\","
        + " \"cards\": [\"stone1\", \"stone2\", \"plank1\", \"move1\", \"jump\"]},"
        + " \"seat\": 0, \"expected_version\": 1, \"request_id\": \"java-1\"}";

    public static void main(String[] none) throws Exception {
        HttpResponse<String> created = post(HttpClient.newHttpClient(), "/v1/matches", BodyPublishers.ofString(MATCH));
        String match = found(created.body(), "\"match_id\": ?\"([^\"]+)\"");
        HttpClient another = HttpClient.newHttpClient();
        BodyPublisher chunked = BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(MOVE.getBytes()));
        HttpResponse<String> moved = post(another, "/v1/matches/" + match + "/moves", chunked);
        HttpResponse<String> again = post(another, "/v1/matches/" + match + "/moves", BodyPublishers.ofString(MOVE));
        System.out.printf(
            "{\"created\": %d, \"moved\": %d, \"again\": %d, \"match_id\": \"%s\", \"version\": %s, \"protocol\": \"%s\"}%n",
            created.statusCode(), moved.statusCode(), again.statusCode(), match,
            found(moved.body(), "\"version\": ?(\\d+)"), moved.version());
    }

    private static HttpResponse<String> post(HttpClient client, String path, BodyPublisher body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(GATEWAY + path))
            .header("Authorization", "Bearer " + KEY)
            .header("Content-Type", "application/json")
            .timeout(Duration.ofSeconds(20))
            .POST(body)
            .build();
        return client.send(request, BodyHandlers.ofString());
    }

    private static String found(String text, String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        if (!matcher.find()) {
            throw new IllegalStateException("no " + pattern + " in " + text);
        }
        return matcher.group(1);
    }
}
