package dev.tailwater.destination.azure;

import dev.tailwater.destination.DestinationTraining;
import dev.tailwater.destination.cloud.training.TrainingAnswer;
import dev.tailwater.destination.cloud.training.TrainingPlace;
import dev.tailwater.destination.cloud.training.TrainingRequest;
import dev.tailwater.destination.cloud.training.TrainingServer;
import java.io.IOException;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;

/** A container in memory for the training of the start-up cache; found by the service loader. */
public final class AzureTraining implements DestinationTraining {
  private static final String XML = "application/xml";
  private static final String CONTAINER = "/training/container/";

  @Override
  public String scheme() {
    return "az";
  }

  @Override
  public Place begin() throws IOException {
    String modified =
        ZonedDateTime.now(ZoneOffset.UTC).format(DateTimeFormatter.RFC_1123_DATE_TIME);
    Container container = new Container(new ConcurrentSkipListMap<>(), modified);
    TrainingServer server = TrainingServer.start(container::answer);
    return new TrainingPlace(
        "az://training/container/archive?endpoint=" + server.endpoint(), server);
  }

  private record Container(NavigableMap<String, byte[]> objects, String modified) {
    TrainingAnswer answer(TrainingRequest request) {
      if (request.path().length() < CONTAINER.length()) {
        return list(request.value("prefix"), request.value("startFrom"));
      }
      String name = request.path().substring(CONTAINER.length());
      return switch (request.method()) {
        case "PUT" -> put(name, request);
        case "GET", "HEAD" -> {
          byte[] body = objects.get(name);
          yield body == null ? error(404, "BlobNotFound") : new TrainingAnswer(200, Map.of(), body);
        }
        case "DELETE" -> {
          objects.remove(name);
          yield TrainingAnswer.empty(202);
        }
        default -> TrainingAnswer.empty(501);
      };
    }

    private TrainingAnswer put(String name, TrainingRequest request) {
      if (request.header("if-none-match").isEmpty()) {
        objects.put(name, request.body());
      } else if (objects.putIfAbsent(name, request.body()) != null) {
        return error(409, "BlobAlreadyExists");
      }
      return TrainingAnswer.empty(201);
    }

    private TrainingAnswer list(String prefix, String from) {
      StringBuilder xml = new StringBuilder("<EnumerationResults><Blobs>");
      objects
          .tailMap(from, true)
          .forEach(
              (name, body) -> {
                if (name.startsWith(prefix)) {
                  xml.append(
                      "<Blob><Name>%s</Name><Properties><Last-Modified>%s</Last-Modified><Content-Length>%d</Content-Length></Properties></Blob>"
                          .formatted(name, modified, body.length));
                }
              });
      return TrainingAnswer.text(
          200, XML, xml.append("</Blobs><NextMarker/></EnumerationResults>").toString());
    }

    private static TrainingAnswer error(int status, String code) {
      return new TrainingAnswer(
          status,
          Map.of("x-ms-error-code", code),
          TrainingAnswer.text(status, XML, "<Error><Code>" + code + "</Code></Error>").body());
    }
  }
}
