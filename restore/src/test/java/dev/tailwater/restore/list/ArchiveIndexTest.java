package dev.tailwater.restore.list;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tailwater.archive.Codec;
import dev.tailwater.archive.age.KeyPair;
import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.Bytes;
import dev.tailwater.restore.ReadOptions;
import dev.tailwater.restore.TestArchive;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ArchiveIndexTest {
  private final TestArchive archive = TestArchive.inMemory();

  private ArchivedStream stream() throws IOException {
    List<ArchivedStream> streams = archive.index(TestArchive.options()).streams();
    assertEquals(1, streams.size());
    return streams.getFirst();
  }

  @Test
  void moreObjectsThanOnePageAreAllListed() throws IOException {
    TestArchive.TestStream stream = archive.stream("/a", 1);
    byte[] contents = Bytes.random(2500, 1);
    for (int at = 0; at < contents.length; at++) {
      stream.segment(contents, at, at + 1);
    }
    assertEquals(2500, stream().segments().size());
    assertEquals(2500, stream().coveredBytes());
    assertEquals(List.of(), stream().missing());
  }

  @Test
  void aStreamSaysHowItStands() throws IOException {
    TestArchive.TestStream stream = archive.stream("/a", 1);
    stream.segmentAt(0, Bytes.text("abc"));
    stream.gap(3, 5, "truncated");
    stream.segmentAt(6, Bytes.text("xyz"));
    StreamRecord.End end = new StreamRecord.End(StreamRecord.EndReason.TRUNCATED, 9, 123);
    stream.record(PosixPath.of("/b"), 9, Optional.of(end));

    ArchivedStream found = stream();

    assertEquals(PosixPath.of("/b"), found.path());
    assertEquals(PathSource.RECORD, found.pathSource());
    assertEquals(6, found.coveredBytes());
    assertEquals(9, found.knownEndBytes());
    assertEquals("truncated", found.openGaps().getFirst().reason());
    assertEquals("[[5, 6)]", found.missing().toString());
    assertEquals(Optional.of(end), found.record().flatMap(StreamRecord::end));
  }

  @Test
  void withoutIdentityTheNameOfAnEncryptedStreamIsTheOneAtBirth() throws IOException {
    KeyPair keys = KeyPair.generate(new SecureRandom());
    archive.with(new Codec.Zstd(1), List.of(keys.recipient()));
    TestArchive.TestStream stream = archive.stream("/born", 1);
    stream.path = PosixPath.of("/renamed");
    stream.segmentAt(0, Bytes.text("abc"));

    assertEquals(PosixPath.of("/born"), stream().path());
    assertEquals(PathSource.BIRTH, stream().pathSource());
    ReadOptions with = TestArchive.options().withIdentities(List.of(keys.identity()));
    ArchivedStream opened = archive.index(with).streams().getFirst();
    assertEquals(PosixPath.of("/renamed"), opened.path());
    assertEquals(PathSource.HEADER, opened.pathSource());
  }

  @Test
  void aGapThatASegmentFillsAfterAllIsNoGap() throws IOException {
    TestArchive.TestStream stream = archive.stream("/a", 1);
    stream.gap(0, 3, "thought to be lost");
    stream.segmentAt(0, Bytes.text("abcdef"));

    assertEquals(List.of(), stream().openGaps());
  }
}
