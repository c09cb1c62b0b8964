package dev.tailwater.destination.cloud.training;

import dev.tailwater.destination.DestinationTraining;
import java.io.IOException;

/**
 * A place that a {@link TrainingServer} serves.
 *
 * @param uri to deliver to
 */
public record TrainingPlace(String uri, TrainingServer server)
    implements DestinationTraining.Place {
  @Override
  public boolean serves() {
    return true;
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
