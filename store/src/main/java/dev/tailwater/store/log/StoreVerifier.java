package dev.tailwater.store.log;

import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.DamagedStoreException;
import dev.tailwater.store.files.StoreDirectory;
import dev.tailwater.store.files.StoreFileReader;
import dev.tailwater.store.log.StoreVerification.CheckedFile;
import dev.tailwater.store.log.StoreVerification.Damage;
import dev.tailwater.store.log.StoreVerification.Role;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Checks each file by itself, so that one damage does not hide another. Keeps no values. */
final class StoreVerifier {
  private final StoreDirectory directory;
  private OptionalLong storeId = OptionalLong.empty();

  private StoreVerifier(StoreDirectory directory) {
    this.directory = directory;
  }

  static StoreVerification verify(StoreDirectory directory) throws IOException {
    return new StoreVerifier(directory).verify(FilePlan.list(directory));
  }

  private StoreVerification verify(FilePlan plan) throws IOException {
    List<CheckedFile> files = new ArrayList<>();
    if (plan.snapshot().isPresent()) {
      files.add(check(plan.snapshot().get(), true));
    }
    for (StoreFileName log : plan.logs()) {
      files.add(check(log, log.equals(plan.logs().getLast())));
    }
    for (StoreFileName missing : plan.missing()) {
      Damage damage = new Damage(0, "the file is missing");
      files.add(
          new CheckedFile(
              directory.pathOf(missing.path()), Role.MISSING, 0, 0, 0, 0, Optional.of(damage)));
    }
    for (StoreFileName obsolete : plan.obsolete()) {
      files.add(unread(obsolete.path(), Role.OBSOLETE));
    }
    for (PosixPath temporary : plan.temporary()) {
      files.add(unread(temporary, Role.UNFINISHED));
    }
    return new StoreVerification(files);
  }

  private CheckedFile unread(PosixPath name, Role role) throws IOException {
    int fd = directory.openToRead(name);
    try {
      long sizeBytes = directory.calls().fstat(fd).sizeBytes();
      PosixPath file = directory.path().resolve(name);
      return new CheckedFile(file, role, sizeBytes, 0, 0, 0, Optional.empty());
    } finally {
      directory.calls().close(fd);
    }
  }

  private CheckedFile check(StoreFileName name, boolean isLast) throws IOException {
    PosixPath file = directory.pathOf(name.path());
    Role role = name.kind() == FileKind.SNAPSHOT ? Role.SNAPSHOT : Role.LOG;
    Counts counts = new Counts();
    int fd = directory.openToRead(name.path());
    try (StoreFileReader reader = new StoreFileReader(directory.calls(), fd, file)) {
      long tornBytes = 0;
      Optional<Damage> damage = Optional.empty();
      try {
        FrameReader.Extent extent = read(reader, name, isLast, counts);
        tornBytes = reader.sizeBytes() - extent.endBytes();
      } catch (DamagedStoreException found) {
        damage = Optional.of(new Damage(found.offsetBytes(), found.why()));
      }
      return new CheckedFile(
          file, role, reader.sizeBytes(), counts.frames, counts.operations, tornBytes, damage);
    } finally {
      directory.calls().close(fd);
    }
  }

  private FrameReader.Extent read(
      StoreFileReader reader, StoreFileName name, boolean isLast, Counts counts)
      throws IOException {
    FrameReader frames = FrameReader.open(reader, name);
    long id = frames.header().storeId();
    if (storeId.isPresent() && storeId.getAsLong() != id) {
      throw frames.damaged(0, "the file belongs to another store");
    }
    storeId = OptionalLong.of(id);
    FrameReader.Extent extent;
    if (name.kind() == FileKind.SNAPSHOT) {
      SnapshotCheck check = new SnapshotCheck(frames, reader.sizeBytes());
      extent =
          frames.readAll(
              (header, payload, offset) -> {
                List<Operation> operations = FramePayload.decode(frames, header, payload, offset);
                check.frame(header, offset, operations);
                counts.add(operations);
              });
      check.end(extent);
    } else {
      LogCheck check = new LogCheck(frames);
      extent =
          frames.readAll(
              (header, payload, offset) -> {
                check.frame(header, offset);
                counts.add(FramePayload.decode(frames, header, payload, offset));
              });
      if (!isLast) {
        check.endOfEarlierLog(extent);
      }
    }
    return extent;
  }

  private static final class Counts {
    private long frames;
    private long operations;

    void add(List<Operation> more) {
      frames++;
      operations += more.size();
    }
  }
}
