package dev.tailwater.destination.gcs;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.tailwater.destination.DestinationTraining;
import dev.tailwater.destination.cloud.training.TrainingAnswer;
import dev.tailwater.destination.cloud.training.TrainingPlace;
import dev.tailwater.destination.cloud.training.TrainingRequest;
import dev.tailwater.destination.cloud.training.TrainingServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;

/** A bucket in memory for the training of the start-up cache; found by the service loader. */
public final class GcsTraining implements DestinationTraining {
  private static final String JSON = "application/json";
  private static final String OBJECTS = "/storage/v1/b/training/o/";

  @Override
  public String scheme() {
    return "gs";
  }

  @Override
  public Place begin() throws IOException {
    Bucket bucket = new Bucket(new ConcurrentSkipListMap<>(), Instant.now().toString());
    TrainingServer server = TrainingServer.start(bucket::answer);
    return new TrainingPlace("gs://training/archive?endpoint=" + server.endpoint(), server);
  }

  private record Bucket(NavigableMap<String, byte[]> objects, String modified) {
    TrainingAnswer answer(TrainingRequest request) {
      if (request.method().equals("POST")) {
        return insert(request);
      }
      if (request.path().length() < OBJECTS.length()) {
        return list(request.value("prefix"), request.value("startOffset"));
      }
      String name = request.path().substring(OBJECTS.length());
      byte[] body = request.method().equals("DELETE") ? objects.remove(name) : objects.get(name);
      if (body == null) {
        return error(404);
      }
      return request.method().equals("DELETE")
          ? TrainingAnswer.empty(204)
          : new TrainingAnswer(200, Map.of(), body);
    }

    /** Takes attributes and content out of the parts of a request. */
    private TrainingAnswer insert(TrainingRequest request) {
      String text = new String(request.body(), StandardCharsets.ISO_8859_1);
      int attributes = text.indexOf("\r\n\r\n") + 4;
      int attributesEnd = text.indexOf("\r\n--", attributes);
      int content = text.indexOf("\r\n\r\n", attributesEnd) + 4;
      JsonObject object =
          JsonParser.parseString(text.substring(attributes, attributesEnd)).getAsJsonObject();
      byte[] body = Arrays.copyOfRange(request.body(), content, text.lastIndexOf("\r\n--"));
      String name = object.get("name").getAsString();
      if (request.value("ifGenerationMatch").isEmpty()) {
        objects.put(name, body);
      } else if (objects.putIfAbsent(name, body) != null) {
        return error(412);
      }
      object.addProperty("generation", "1");
      return TrainingAnswer.text(200, JSON, object.toString());
    }

    private TrainingAnswer list(String prefix, String from) {
      JsonArray items = new JsonArray();
      objects
          .tailMap(from, true)
          .forEach(
              (name, body) -> {
                if (name.startsWith(prefix)) {
                  JsonObject item = new JsonObject();
                  item.addProperty("name", name);
                  item.addProperty("size", Integer.toString(body.length));
                  item.addProperty("updated", modified);
                  items.add(item);
                }
              });
      JsonObject page = new JsonObject();
      page.add("items", items);
      return TrainingAnswer.text(200, JSON, page.toString());
    }

    private static TrainingAnswer error(int status) {
      return TrainingAnswer.text(status, JSON, "{\"error\":{\"errors\":[{\"reason\":\"none\"}]}}");
    }
  }
}
