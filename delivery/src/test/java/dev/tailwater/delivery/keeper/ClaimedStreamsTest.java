package dev.tailwater.delivery.keeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ClaimedStreamsTest {
  private static final FileIdentity FILE =
      new FileIdentity(1, 2, OptionalLong.of(3), OptionalLong.of(4));
  private static final FileIdentity OTHER =
      new FileIdentity(1, 3, OptionalLong.of(3), OptionalLong.of(4));

  private final ClaimedStreams claimed = new ClaimedStreams();

  private static StreamProgress stream() {
    return StreamProgress.begin(
        "agent", FILE, StreamId.of("agent", FILE, 0), PosixPath.of("/logs/app.log"), 0);
  }

  @Test
  void knowsAgainWhatWasToldOnce() throws IOException {
    StreamProgress stream = stream();
    assertSame(stream, claimed.claim(FILE, () -> Optional.of(stream)).orElseThrow());
    assertSame(stream, claimed.claim(FILE, Optional::empty).orElseThrow());
    assertEquals(Optional.empty(), claimed.claim(OTHER, Optional::empty));
    assertEquals(Optional.empty(), claimed.claim(OTHER, () -> Optional.of(stream)));
  }

  @Test
  void asksAgainForWhatCouldNotBeRead() throws IOException {
    assertThrows(
        IOException.class,
        () ->
            claimed.claim(
                FILE,
                () -> {
                  throw new IOException("says a test");
                }));
    StreamProgress stream = stream();
    assertSame(stream, claimed.claim(FILE, () -> Optional.of(stream)).orElseThrow());
  }

  @Test
  void goesOnWithNoFileWhereAClaimHasFailedInItsMidst() throws IOException {
    StreamProgress stream = stream();
    claimed.claim(OTHER, () -> Optional.of(stream));
    assertThrows(
        OutOfMemoryError.class,
        () ->
            claimed.claim(
                FILE,
                () -> {
                  throw new OutOfMemoryError("says a test");
                }));
    assertThrows(IOException.class, () -> claimed.claim(FILE, () -> Optional.of(stream)));
    assertSame(stream, claimed.claim(OTHER, Optional::empty).orElseThrow());
  }
}
