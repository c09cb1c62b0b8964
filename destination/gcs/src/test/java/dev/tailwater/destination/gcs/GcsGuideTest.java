package dev.tailwater.destination.gcs;

import dev.tailwater.destination.testkit.OptionTable;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class GcsGuideTest {
  private static final Path GUIDES =
      Path.of(System.getProperty("tailwater.root", ".."), "docs", "guide");

  @Test
  void theGuideListsEveryOption() throws IOException {
    OptionTable.assertCurrent(GUIDES.resolve("gcs.md"), new GcsProvider());
  }
}
