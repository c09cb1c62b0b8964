package dev.tailwater.restore;

import dev.tailwater.archive.Codec;
import dev.tailwater.archive.FileOwner;
import dev.tailwater.archive.age.Recipient;
import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.name.PackId;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.pack.AttributeStatement;
import dev.tailwater.archive.pack.DirectoryStatement;
import dev.tailwater.archive.pack.DirectoryStatement.Attributes;
import dev.tailwater.archive.pack.TreeStatement;
import dev.tailwater.archive.seal.PackSealer;
import dev.tailwater.archive.seal.SealedPack;
import dev.tailwater.io.attribute.ExtendedAttributes;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Writes packs that tell directories, with the real sealer, without an agent. */
public final class TestTrees {
  public static final long MODIFIED_NANOS = 1_600_000_000_123_456_789L;
  private static final int STAGING_BYTES = 1 << 20;

  private final TestArchive archive;
  private final String agent;
  private final PackGroup group;
  private final List<Recipient> recipients;
  private final List<TreeStatement> statements = new ArrayList<>();
  private int number;

  /** A directory to be told; its lists may be changed until it is. */
  public static final class Directory {
    public final PosixPath path;
    public int permissions = 0755;
    public Optional<FileOwner> owner = Optional.empty();
    public ExtendedAttributes extended = ExtendedAttributes.NONE;
    public final List<PosixPath> directories = new ArrayList<>();
    public final List<DirectoryStatement.Link> links = new ArrayList<>();
    public final List<DirectoryStatement.FurtherName> furtherNames = new ArrayList<>();

    public Directory(String path, String... inside) {
      this.path = PosixPath.of(path);
      for (String name : inside) {
        directories.add(PosixPath.of(name));
      }
    }

    public Directory mode(int bits) {
      permissions = bits;
      return this;
    }

    public Directory link(String name, String target) {
      links.add(
          new DirectoryStatement.Link(
              PosixPath.of(name),
              PosixPath.of(target),
              new Attributes(0777, owner, MODIFIED_NANOS)));
      return this;
    }

    /** As an earlier writer told it. */
    public Directory furtherName(String name, String file) {
      return furtherName(name, PosixPath.of(file), Optional.empty());
    }

    /** A name of the file of a stream, which is under its birth path. */
    public Directory furtherName(String name, TestArchive.TestStream stream) {
      return furtherName(name, stream.birthPath, Optional.of(stream.id.withEpoch(0)));
    }

    private Directory furtherName(String name, PosixPath file, Optional<StreamId> id) {
      furtherNames.add(new DirectoryStatement.FurtherName(PosixPath.of(name), file, id));
      return this;
    }
  }

  public TestTrees(TestArchive archive, String agent, long begunNanos) {
    this(archive, agent, begunNanos, List.of());
  }

  public TestTrees(TestArchive archive, String agent, long begunNanos, List<Recipient> recipients) {
    this.archive = archive;
    this.agent = agent;
    this.group = PackGroup.begin(begunNanos, new SecureRandom());
    this.recipients = recipients;
  }

  public TestTrees say(Directory told) {
    statements.add(
        new DirectoryStatement(
            told.path,
            Optional.of(
                new DirectoryStatement.Contents(
                    new Attributes(told.permissions, told.owner, MODIFIED_NANOS),
                    told.directories,
                    told.links,
                    told.furtherNames,
                    told.extended))));
    return this;
  }

  /** Tells the extended attributes of the file of a stream. */
  public TestTrees attributes(StreamId stream, ExtendedAttributes attributes) {
    statements.add(new AttributeStatement(stream.withEpoch(0), attributes));
    return this;
  }

  public TestTrees gone(String path) {
    statements.add(new DirectoryStatement(PosixPath.of(path), Optional.empty()));
    return this;
  }

  /** Leaves a number out. */
  public TestTrees skip() {
    number++;
    return this;
  }

  /** Delivers a pack; returns its key. */
  public String deliver(boolean whole, long atMillis) throws IOException {
    try (PackSealer sealer =
        new PackSealer(
            new Codec.Zstd(1), recipients, Optional.empty(), new SecureRandom(), archive.signer)) {
      sealer.begin(
          new byte[STAGING_BYTES], new PackId(agent, group, number++), STAGING_BYTES - 65_536);
      statements.forEach(sealer::say);
      if (whole) {
        sealer.sayWhole();
      }
      SealedPack pack = sealer.finish(atMillis);
      archive.destination.putSegment(pack.name().key(), pack.content());
      statements.clear();
      return pack.name().key();
    }
  }
}
