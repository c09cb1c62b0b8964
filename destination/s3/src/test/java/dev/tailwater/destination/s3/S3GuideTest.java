package dev.tailwater.destination.s3;

import dev.tailwater.destination.testkit.OptionTable;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class S3GuideTest {
  private static final Path GUIDES =
      Path.of(System.getProperty("tailwater.root", ".."), "docs", "guide");

  @Test
  void theGuideListsEveryOption() throws IOException {
    OptionTable.assertCurrent(GUIDES.resolve("s3.md"), new S3Provider());
  }
}
