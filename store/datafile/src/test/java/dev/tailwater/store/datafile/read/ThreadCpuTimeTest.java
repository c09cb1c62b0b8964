package dev.tailwater.store.datafile.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ThreadCpuTimeTest {
  @TempDir Path temporary;

  @Test
  void isTheFirstNumber() throws IOException {
    Path file = temporary.resolve("schedstat");
    Files.writeString(file, "123456789 42 7\n");
    assertEquals(123_456_789, new ThreadCpuTime(file).nanos());
  }

  @Test
  void isTheTimeThatHasPassedWhereTheKernelDoesNotTell() throws IOException {
    Path file = temporary.resolve("schedstat");
    for (boolean garbage : new boolean[] {false, true}) {
      if (garbage) {
        Files.writeString(file, "nothing");
      }
      long before = System.nanoTime();
      long nanos = new ThreadCpuTime(file).nanos();
      assertTrue(before <= nanos && nanos <= System.nanoTime(), nanos + " after " + before);
    }
  }

  @Test
  void staysWhereItWasWhenTheKernelTellsNoMore() throws IOException {
    Path file = temporary.resolve("schedstat");
    Files.writeString(file, "5000 42 7\n");
    ThreadCpuTime time = new ThreadCpuTime(file);
    assertEquals(5000, time.nanos());
    Files.delete(file);
    assertEquals(5000, time.nanos());
    Files.writeString(file, "6000 42 7\n");
    assertEquals(6000, time.nanos());
  }

  @Test
  void neverGoesBack() {
    ThreadCpuTime time = new ThreadCpuTime();
    long last = time.nanos();
    for (int i = 0; i < 100; i++) {
      long now = time.nanos();
      assertTrue(now >= last, now + " after " + last);
      last = now;
    }
  }
}
