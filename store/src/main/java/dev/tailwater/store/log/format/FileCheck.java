package dev.tailwater.store.log.format;

import dev.tailwater.store.DamagedStoreException;
import dev.tailwater.store.files.StoreFileReader;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;

/** The check of a single file, without regard to the others. */
public final class FileCheck {
  private FileCheck() {}

  /**
   * Reads the whole file.
   *
   * @param storeId what the files before it say
   * @throws DamagedStoreException at the first damage
   */
  public static FrameReader.Extent check(
      StoreFileReader reader, LogFileName name, boolean isLast, OptionalLong storeId)
      throws IOException {
    FrameReader frames = FrameReader.open(reader, name);
    if (storeId.isPresent() && storeId.getAsLong() != frames.header().storeId()) {
      throw frames.damaged(0, "the file belongs to another store");
    }
    if (name.kind() == FileKind.SNAPSHOT) {
      SnapshotCheck check = new SnapshotCheck(frames, reader.sizeBytes());
      FrameReader.Extent extent =
          frames.readAll(
              (header, payload, offset) -> {
                List<Operation> operations = FramePayload.decode(frames, header, payload, offset);
                check.frame(header, offset, operations);
              });
      check.end(extent);
      return extent;
    }
    LogCheck check = new LogCheck(frames);
    FrameReader.Extent extent =
        frames.readAll(
            (header, payload, offset) -> {
              check.frame(header, offset);
              FramePayload.decode(frames, header, payload, offset);
            });
    if (!isLast) {
      check.endOfEarlierLog(extent);
    }
    return extent;
  }
}
