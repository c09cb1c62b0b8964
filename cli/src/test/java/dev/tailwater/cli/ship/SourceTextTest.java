package dev.tailwater.cli.ship;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.cli.config.SourceSetting;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.ExitCode;
import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Names that look like globs, on a file system that does not say whether they exist. */
class SourceTextTest {
  private static FileCalls failingWith(Errno errno) {
    return (FileCalls)
        Proxy.newProxyInstance(
            FileCalls.class.getClassLoader(),
            new Class<?>[] {FileCalls.class},
            (_, _, _) -> {
              throw ErrnoException.of("statx", "/srv/[ab]", errno);
            });
  }

  /** The service is started again after a failure, and not after a mistake of the user. */
  @ParameterizedTest
  @CsvSource({"ESTALE, FAILED", "EIO, FAILED", "EACCES, USAGE", "ELOOP, USAGE"})
  void aFailureThatMayPassIsNoMistakeOfTheUser(Errno errno, ExitCode code) {
    PrintStream silent = new PrintStream(OutputStream.nullOutputStream());
    SourceText texts =
        new SourceText(
            new Surroundings(silent, silent, Map.of(), Path.of("/"), OptionalInt.empty()),
            failingWith(errno));
    SourceSetting setting = new SourceSetting("/srv/[ab]", List.of(), List.of());
    UserException refusal = assertThrows(UserException.class, () -> texts.read(setting));
    assertEquals(code, refusal.exitCode());
    String message = String.valueOf(refusal.getMessage());
    assertTrue(message.startsWith("source /srv/[ab]: it cannot be told"), message);
    assertTrue(message.contains(errno.name()), message);
  }
}
