package dev.tailwater.cli.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tailwater.cli.outcome.ExitCode;
import dev.tailwater.cli.outcome.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrivateDirectoryTest {
  private static final int NOBODY = 12345;

  @TempDir private Path directory;

  @Test
  void makesDirectoriesForItsUserAlone() throws IOException {
    PrivateDirectory.makeOrRequire(directory.resolve("a/b"));
    for (String made : new String[] {"a", "a/b"}) {
      assertEquals(
          "rwx------",
          PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve(made))));
    }
    PrivateDirectory.makeOrRequire(directory.resolve("a/b"));
  }

  @Test
  void whatOthersMayOnlyReadIsFine() throws IOException {
    PrivateDirectory.makeOrRequire(made("state", "rwxr-xr-x"));
  }

  @Test
  void refusesWhatTheGroupOrAllMayWrite() throws IOException {
    for (String mode : new String[] {"rwxrwx---", "rwx---rwx", "rwxrwxrwx"}) {
      Path state = made("state-" + mode, mode);
      UserException e = refused(state);
      assertTrue(e.hint().orElseThrow().contains("chmod go-w " + state), e.toString());
    }
  }

  @Test
  void refusesADirectoryInOneThatAllMayWrite() throws IOException {
    Path above = made("above", "rwxrwxrwx");
    UserException e = refused(above.resolve("state"));
    assertTrue(e.hint().orElseThrow().contains("chmod go-w " + above), e.toString());
    Files.setAttribute(above, "unix:mode", 01777); // Like /tmp: nobody renames what is another's.
    PrivateDirectory.makeOrRequire(above.resolve("state"));
  }

  @Test
  void looksBehindALink() throws IOException {
    Path state = made("state", "rwxrwxrwx");
    refused(Files.createSymbolicLink(directory.resolve("link"), state));
  }

  @Test
  void refusesDirectoriesOfAnotherUser() throws IOException {
    assumeTrue("root".equals(System.getProperty("user.name")), "needs root to give files away");
    Path above = made("above", "rwxr-xr-x");
    Path state = above.resolve("state");
    PrivateDirectory.makeOrRequire(state);
    Files.setAttribute(state, "unix:uid", NOBODY);
    UserException e = refused(state);
    assertTrue(e.hint().orElseThrow().contains("chown 0 " + state), e.toString());
    Files.setAttribute(state, "unix:uid", 0);
    PrivateDirectory.makeOrRequire(state);
    Files.setAttribute(above, "unix:uid", NOBODY);
    assertTrue(refused(state).toString().contains("owns " + above));
  }

  private Path made(String name, String mode) throws IOException {
    Path made = Files.createDirectory(directory.resolve(name));
    // By its own call: the umask has no say in it.
    return Files.setPosixFilePermissions(made, PosixFilePermissions.fromString(mode));
  }

  private static UserException refused(Path state) {
    UserException e =
        assertThrows(UserException.class, () -> PrivateDirectory.makeOrRequire(state));
    assertEquals(ExitCode.USAGE, e.exitCode());
    return e;
  }
}
