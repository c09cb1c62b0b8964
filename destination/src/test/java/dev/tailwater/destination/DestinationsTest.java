package dev.tailwater.destination;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.linux.LinuxFileCalls;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DestinationsTest {
  @TempDir Path temporary;

  private final DestinationContext context =
      new DestinationContext(LinuxFileCalls.create(), InstantSource.system(), new Random());

  private Destination open(String text) throws DestinationException {
    return Destinations.open(text, OpenIntent.WRITE, context);
  }

  private String refused(String text) {
    UnknownDestinationException e =
        assertThrows(UnknownDestinationException.class, () -> open(text), text);
    UnknownDestinationException unasked =
        assertThrows(
            UnknownDestinationException.class, () -> Destinations.check(text, Plugins.none()));
    assertEquals(e.getMessage(), unasked.getMessage(), "what check says is what open says");
    assertTrue(e.permanent());
    assertFalse(e.hint().isBlank());
    return e.getMessage() + " " + e.hint();
  }

  @Test
  void opensADirectoryByPathAndByUri() throws IOException {
    Path odd = temporary.resolve("a b%20#?é😀");
    List<String> texts = List.of(odd.toString(), odd + "/", odd.toUri().toString());
    for (int i = 0; i < texts.size(); i++) {
      try (Destination opened = open(texts.get(i))) {
        opened.putObject("object" + i, new byte[i]);
        assertEquals("file", opened.uri().getScheme());
        // What it says of itself opens it again.
        try (Destination again = open(opened.uri().toString())) {
          assertEquals(i + 1, again.list("", Optional.empty(), 10).entries().size(), texts.get(i));
        }
      }
    }
    assertTrue(Files.isDirectory(odd));
  }

  @Test
  void opensAPathThatIsNotUtf8ByItsUri() throws IOException {
    try (Destination opened = open(temporary.toUri() + "/caf%E9")) {
      opened.putObject("x", new byte[3]);
    }
    try (Destination opened = open("FILE://" + temporary + "/caf%E9//");
        InputStream stream = opened.read("x", 0, 10)) {
      assertEquals(3, stream.readAllBytes().length);
    }
    assertFalse(Files.exists(temporary.resolve("caf\uFFFD")), "another name was used");
  }

  @Test
  void takesARelativePathFromTheWorkingDirectory() throws DestinationException {
    String here = Path.of("").toAbsolutePath().toString();
    assertEquals("file://" + here + "/some/archive", Destinations.parse("some/archive").toString());
    assertEquals("file://" + here + "/./a:b", Destinations.parse("./a:b").toString());
  }

  @Test
  void saysWhichKindsAreInstalled() {
    String message = refused("s3://bucket/prefix");
    assertTrue(message.contains("no destination for scheme s3 is installed"), message);
    assertTrue(message.contains("tailwater-s3"), message);
  }

  @Test
  void namesNoPackageForASchemeThatHasNone() {
    String message = refused("ftp://x/y");
    assertTrue(message.contains("unknown scheme ftp; known: az, file, gs, hdfs, s3"), message);
    assertFalse(message.contains("tailwater-ftp"), message);
    assertTrue(message.contains("./ftp:"), message);
  }

  @Test
  void refusesAUserInAnyUriWithoutRepeatingIt() {
    for (String scheme : List.of("file", "s3", "hdfs", "ftp")) {
      for (String user : List.of("key:secret", "secret", "a@secret", ":secret")) {
        String message = refused(scheme + "://" + user + "@host/prefix");
        assertTrue(message.contains("in front of an @"), message);
        assertFalse(message.contains("secret"), message);
      }
    }
  }

  @Test
  void refusesFileUrisThatNameNoDirectoryHere() {
    assertTrue(refused("file://host/dir").contains("not of host"));
    assertTrue(refused("file:dir").contains("not absolute"));
    assertTrue(refused("file:///dir?x=1").contains("%3F"));
    assertTrue(refused("file:///dir#x").contains("%23"));
    assertTrue(refused("file:///a%00b").contains("NUL"));
    assertTrue(refused("file:///a b").contains("character 10"), refused("file:///a b"));
    assertTrue(refused("").contains("empty"));
    assertTrue(refused("/a\0b").contains("not a legal path"));
  }

  @Test
  void escapesControlCharactersOfAHostileKeyInMessages() throws IOException {
    try (Destination opened = open(temporary.toString())) {
      NoSuchObjectException e =
          assertThrows(NoSuchObjectException.class, () -> opened.read("a\u001b[2J\n", 0, 1));
      assertTrue(e.getMessage().contains("a\\u001b[2J\\u000a at file:"), e.getMessage());
      assertEquals("a\u001b[2J\n", e.key());
    }
  }
}
