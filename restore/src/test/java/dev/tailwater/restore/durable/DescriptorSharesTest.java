package dev.tailwater.restore.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How many descriptors a restore plans for. */
class DescriptorSharesTest {
  @ParameterizedTest
  @ValueSource(longs = {46, 64, 100, 128, 256, 1024, 65_536, 1L << 40, Long.MAX_VALUE})
  void allOfThemStayBelowTheLimit(long limit) {
    DescriptorShares shares = DescriptorShares.of(limit);
    long besideJobs = 4L * shares.waitingFiles() + shares.directories();
    assertTrue(besideJobs < limit - 40, shares.toString());
    assertTrue(besideJobs + 4L * shares.jobs() <= limit - 20, shares.toString());
  }

  @Test
  void theyAreBoundedWhereTheLimitIsNot() {
    assertEquals(new DescriptorShares(2000, 64, 64), DescriptorShares.of(Long.MAX_VALUE));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 40, 45})
  void oneOfEachMustDoWhereThereAreNone(long limit) {
    DescriptorShares shares = DescriptorShares.of(limit);
    assertEquals(new DescriptorShares(1, 1, shares.jobs()), shares);
    assertTrue(shares.jobs() <= 4, shares.toString());
  }
}
