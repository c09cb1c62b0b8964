package dev.tailwater.cli.host;

import dev.tailwater.cli.value.Secrets;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.ForwardingDestination;
import dev.tailwater.destination.Listing;
import dev.tailwater.destination.PutResult;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Optional;

/** A destination whose slow answers are told. */
final class WatchedDestination extends ForwardingDestination {
  private final SlowAnswers answers;
  private final String place;

  WatchedDestination(Destination real, SlowAnswers answers) {
    super(real);
    this.answers = answers;
    this.place = Secrets.mask(real.uri().toString());
  }

  @Override
  public InputStream read(String key, long offsetBytes, long lengthBytes)
      throws DestinationException {
    return answers.during("read", place, () -> super.read(key, offsetBytes, lengthBytes));
  }

  @Override
  public Listing list(String prefix, Optional<String> afterKey, int maxEntries)
      throws DestinationException {
    return answers.during("list", place, () -> super.list(prefix, afterKey, maxEntries));
  }

  @Override
  public PutResult putSegment(String key, ByteBuffer content) throws DestinationException {
    return answers.during("put", place, () -> super.putSegment(key, content));
  }

  @Override
  public void delete(String key) throws DestinationException {
    answers.during(
        "delete",
        place,
        () -> {
          super.delete(key);
          return key;
        });
  }

  @Override
  public void close() throws DestinationException {
    try {
      super.close();
    } finally {
      answers.close();
    }
  }
}
