package dev.tailwater.it;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;

/**
 * The programs of a machine that is going to die: a process of its own that appends to some logs
 * and rotates them, as logrotate does it. After each write that has returned it says so on stdout:
 * number of the file, its length (8 bytes each), and when ({@link System#nanoTime}, the same clock
 * for all processes of a machine).
 */
final class DrillWriter {
  static final int RECORD_BYTES = 3 * Long.BYTES;
  private static final int LOGS = 3;
  private static final int LONGEST_WRITE_BYTES = 32 << 10;
  private static final int WRITES_PER_ROTATION = 150;

  private final Path directory;
  private final Random random;
  private final OutputStream journal;
  private final Log[] logs = new Log[LOGS];
  private final int[] rotations = new int[LOGS];
  private long files;

  private DrillWriter(Path directory, long seed, OutputStream journal) {
    this.directory = directory;
    this.random = new Random(seed);
    this.journal = journal;
  }

  /** A log that is being written. */
  private static final class Log {
    private final long file;
    private final OutputStream out;
    private final DrillContent content;
    private long lengthBytes;

    Log(long file, OutputStream out) {
      this.file = file;
      this.out = out;
      this.content = new DrillContent(file);
    }
  }

  /** Arguments: directory, seed. Ends when it is killed, or when its disk is gone. */
  public static void main(String[] arguments) throws InterruptedException {
    try (OutputStream journal = new FileOutputStream(FileDescriptor.out)) {
      new DrillWriter(Path.of(arguments[0]), Long.parseLong(arguments[1]), journal).write();
    } catch (IOException e) {
      System.err.println("the writer ends: " + e);
    }
  }

  private void write() throws IOException, InterruptedException {
    for (int log = 0; log < LOGS; log++) {
      open(log);
    }
    while (true) {
      int chosen = random.nextInt(LOGS);
      if (random.nextInt(WRITES_PER_ROTATION) == 0) {
        rotate(chosen);
      }
      Log log = logs[chosen];
      byte[] bytes = log.content.next(1 + random.nextInt(LONGEST_WRITE_BYTES));
      log.out.write(bytes);
      log.lengthBytes += bytes.length;
      journal.write(
          ByteBuffer.allocate(RECORD_BYTES)
              .putLong(log.file)
              .putLong(log.lengthBytes)
              .putLong(System.nanoTime())
              .array());
      if (random.nextInt(4) == 0) {
        Thread.sleep(random.nextInt(12));
      }
    }
  }

  /** {@code 0.log.1} becomes {@code 0.log.2}, and so on down to the log itself. */
  private void rotate(int log) throws IOException {
    logs[log].out.close();
    for (int generation = rotations[log]; generation >= 0; generation--) {
      Files.move(path(log, generation), path(log, generation + 1));
    }
    rotations[log]++;
    open(log);
  }

  private void open(int log) throws IOException {
    logs[log] =
        new Log(
            files++,
            Files.newOutputStream(
                path(log, 0), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
  }

  private Path path(int log, int generation) {
    return directory.resolve(log + ".log" + (generation == 0 ? "" : "." + generation));
  }
}
