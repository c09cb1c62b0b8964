package dev.tailwater.lab.write;

import dev.tailwater.lab.measure.Figures;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * One method of copying a file.
 *
 * @param name {@code BufferedOutputStream}
 * @param size of one write: {@code 64 KiB}; {@link #OWN_SIZE} if the method chooses the size itself
 */
record SyncWay(String name, String size, Copy copy) {
  static final String STREAM = "BufferedOutputStream";
  static final String BLOCK_WRITER = "BlockWriter";
  static final String TRANSFER_TO = "FileChannel.transferTo";
  static final String FILE_COPY = "FileCopy";
  static final String OWN_SIZE = "its own";

  /** A function that copies the file. */
  interface Copy {
    void copy(Path from, Path to) throws IOException;
  }

  /** Returns the methods with each size, and those that choose a size themselves. */
  static List<SyncWay> all(CopyWays ways, List<Integer> sizesBytes) {
    List<SyncWay> all = new ArrayList<>();
    for (int bytes : sizesBytes) {
      all.add(new SyncWay(STREAM, Figures.size(bytes), (from, to) -> ways.stream(from, to, bytes)));
    }
    for (int bytes : sizesBytes) {
      all.add(
          new SyncWay(
              BLOCK_WRITER, Figures.size(bytes), (from, to) -> ways.blockWriter(from, to, bytes)));
    }
    all.add(new SyncWay(TRANSFER_TO, OWN_SIZE, ways::transferTo));
    all.add(new SyncWay(FILE_COPY, OWN_SIZE, ways::fileCopy));
    return all;
  }
}
