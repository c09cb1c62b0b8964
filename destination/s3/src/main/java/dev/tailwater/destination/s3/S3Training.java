package dev.tailwater.destination.s3;

import dev.tailwater.destination.DestinationTraining;
import dev.tailwater.destination.cloud.training.TrainingAnswer;
import dev.tailwater.destination.cloud.training.TrainingPlace;
import dev.tailwater.destination.cloud.training.TrainingRequest;
import dev.tailwater.destination.cloud.training.TrainingServer;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;

/** A bucket in memory for the training of the start-up cache; found by the service loader. */
public final class S3Training implements DestinationTraining {
  private static final String XML = "application/xml";
  private static final String BUCKET = "/training/";

  @Override
  public String scheme() {
    return "s3";
  }

  @Override
  public Place begin() throws IOException {
    Bucket bucket = new Bucket(new ConcurrentSkipListMap<>(), Instant.now().toString());
    TrainingServer server = TrainingServer.start(bucket::answer);
    return new TrainingPlace("s3://training/archive?endpoint=" + server.endpoint(), server);
  }

  private record Bucket(NavigableMap<String, byte[]> objects, String modified) {
    TrainingAnswer answer(TrainingRequest request) {
      if (request.path().length() <= BUCKET.length()) {
        return list(request.value("prefix"), request.value("start-after"));
      }
      String key = request.path().substring(BUCKET.length());
      return switch (request.method()) {
        case "PUT" -> put(key, request);
        case "GET", "HEAD" -> get(key);
        case "DELETE" -> {
          objects.remove(key);
          yield TrainingAnswer.empty(204);
        }
        default -> TrainingAnswer.empty(501);
      };
    }

    private TrainingAnswer put(String key, TrainingRequest request) {
      if (request.header("if-none-match").isEmpty()) {
        objects.put(key, request.body());
      } else if (objects.putIfAbsent(key, request.body()) != null) {
        return error(412, "PreconditionFailed");
      }
      return new TrainingAnswer(200, Map.of("ETag", "\"0\""), new byte[0]);
    }

    private TrainingAnswer get(String key) {
      byte[] body = objects.get(key);
      return body == null
          ? error(404, "NoSuchKey")
          : new TrainingAnswer(200, Map.of("ETag", "\"0\""), body);
    }

    private TrainingAnswer list(String prefix, String after) {
      StringBuilder xml = new StringBuilder("<ListBucketResult><IsTruncated>false</IsTruncated>");
      objects
          .tailMap(after, false)
          .forEach(
              (key, body) -> {
                if (key.startsWith(prefix)) {
                  xml.append(
                      "<Contents><Key>%s</Key><LastModified>%s</LastModified><Size>%d</Size></Contents>"
                          .formatted(key, modified, body.length));
                }
              });
      return TrainingAnswer.text(200, XML, xml.append("</ListBucketResult>").toString());
    }

    private static TrainingAnswer error(int status, String code) {
      return TrainingAnswer.text(status, XML, "<Error><Code>" + code + "</Code></Error>");
    }
  }
}
