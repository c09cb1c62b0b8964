package dev.tailwater.delivery.notice;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/**
 * A file whose existence is a notice, until it is gone. Its content may describe the notice ({@link
 * NoticeContent}); a number of seconds in it counts from the file's modification time. A file that
 * was there before the agent, and whose deadline has long passed, is outdated.
 */
final class FileSource implements NoticeSource {
  private static final int MAX_BYTES = 4096;

  private final Path file;
  private final Duration every;
  private final Duration usual;
  private final InstantSource wallClock;

  /**
   * Creates a source.
   *
   * @param usual how long the machine lives on when the content names no deadline
   */
  FileSource(Path file, Duration every, Duration usual, InstantSource wallClock) {
    this.file = file;
    this.every = every;
    this.usual = usual;
    this.wallClock = wallClock;
  }

  @Override
  public String name() {
    return "file:" + file;
  }

  @Override
  public Duration pause() {
    return every;
  }

  @Override
  public List<Notice> ask() throws IOException {
    if (Files.notExists(file)) { // Almost always; saves an exception.
      return List.of();
    }
    BasicFileAttributes attributes;
    String content;
    try {
      attributes = Files.readAttributes(file, BasicFileAttributes.class);
      content = attributes.isRegularFile() ? content() : "";
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (IOException e) {
      throw new IOException(file + ": " + e, e);
    }
    NoticeContent said = NoticeContent.parseOrText(content);
    Instant written = attributes.lastModifiedTime().toInstant();
    String id = said.id() + " " + said.seconds().orElse(usual) + " " + written;
    return List.of(
        said.notice(id, written, wallClock.instant(), usual, "the file " + file + " is there"));
  }

  private String content() throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return new String(in.readNBytes(MAX_BYTES), StandardCharsets.UTF_8);
    }
  }
}
