package dev.tailwater.bench.file;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The program fio(1), as what random reads are compared with: it does the same requests from C.
 *
 * @see <a href="https://fio.readthedocs.io/en/latest/fio_doc.html">fio</a>
 */
public final class Fio {
  /** Fields of its terse output, version 3, counted from 0. */
  private static final int ERROR_FIELD = 4;

  private static final int READS_PER_SECOND_FIELD = 7;
  private static final int RUNTIME_MILLIS_FIELD = 8;
  private static final int USER_FIELD = 87;
  private static final int SYSTEM_FIELD = 88;

  private final Path file;
  private final long sizeBytes;

  public Fio(Path file, long sizeBytes) {
    this.file = file;
    this.sizeBytes = sizeBytes;
  }

  /** Writes the file that is read; every block has other bytes. */
  public void layOut() throws IOException, InterruptedException {
    run(List.of("--rw=write", "--bs=1m", "--ioengine=psync", "--end_fsync=1"));
  }

  /** Reads blocks in a random order, none twice, with the page cache of the file empty before. */
  public RandomReadCost read(int blockBytes, int depth, boolean direct, int seconds)
      throws IOException, InterruptedException {
    return read(blockBytes, direct, seconds, List.of("--ioengine=io_uring", "--iodepth=" + depth));
  }

  /** As {@link #read}, by so many threads that wait for each read, pread(2). */
  public RandomReadCost readByThreads(int blockBytes, int threads, boolean direct, int seconds)
      throws IOException, InterruptedException {
    return read(
        blockBytes,
        direct,
        seconds,
        List.of("--ioengine=psync", "--numjobs=" + threads, "--thread", "--group_reporting"));
  }

  private RandomReadCost read(int blockBytes, boolean direct, int seconds, List<String> engine)
      throws IOException, InterruptedException {
    List<String> options = new ArrayList<>(engine);
    options.addAll(List.of("--rw=randread", "--bs=" + blockBytes));
    options.addAll(List.of("--direct=" + (direct ? 1 : 0), "--runtime=" + seconds, "--time_based"));
    String[] fields = run(options).trim().split(";", -1);
    if (!fields[ERROR_FIELD].equals("0")) {
      throw new IOException("fio ended with error " + fields[ERROR_FIELD]);
    }
    double readsPerSecond = Double.parseDouble(fields[READS_PER_SECOND_FIELD]);
    double share = percent(fields[USER_FIELD]) + percent(fields[SYSTEM_FIELD]);
    if (Double.parseDouble(fields[RUNTIME_MILLIS_FIELD]) <= 0) {
      throw new IOException("fio did not run");
    }
    return new RandomReadCost(readsPerSecond, share / 100 / readsPerSecond * 1e6);
  }

  private static double percent(String field) {
    return Double.parseDouble(field.replace("%", ""));
  }

  private String run(List<String> options) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of("fio", "--name=random-reads"));
    words.addAll(List.of("--filename=" + file, "--size=" + sizeBytes));
    words.addAll(List.of("--output-format=terse", "--terse-version=3"));
    words.addAll(options);
    Path errors = Files.createTempFile("fio", ".err");
    try {
      Process process = new ProcessBuilder(words).redirectError(errors.toFile()).start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new IOException("fio failed: " + output + Files.readString(errors));
      }
      return output;
    } finally {
      Files.delete(errors);
    }
  }
}
