package dev.tailwater.destination.cloud.training;

import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * An answer of a {@link TrainingServer}.
 *
 * @param body never changed
 */
@SuppressWarnings("ArrayRecordComponent") // It is never compared.
public record TrainingAnswer(int status, Map<String, String> headers, byte[] body) {
  /** Returns an answer without content. */
  public static TrainingAnswer empty(int status) {
    return new TrainingAnswer(status, Map.of(), new byte[0]);
  }

  /** Returns an answer with a text. */
  public static TrainingAnswer text(int status, String type, String text) {
    return new TrainingAnswer(
        status, Map.of("Content-Type", type), text.getBytes(StandardCharsets.UTF_8));
  }
}
