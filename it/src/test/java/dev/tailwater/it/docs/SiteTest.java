package dev.tailwater.it.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tailwater.it.Packaged;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The site is built without a warning, and some of its pages are right in a real Chromium. */
class SiteTest {
  /** Sphinx takes half a minute of a processor, for which other tests wait, too. */
  private static final long PATIENCE_SECONDS = 600;

  @Test
  void theSiteIsBuiltWithoutAWarningAndReadsWellInChromium() throws Exception {
    Packaged.Run python = shell(". docs/site/python.sh && test -x \"$venv/bin/python\"");
    assumeTrue(
        python.exitCode() == 0,
        "the Python packages of the documentation are not here: docs/build installs them");
    boolean hasChromium =
        Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
            .anyMatch(directory -> Files.isExecutable(Path.of(directory, "chromium")));
    assumeTrue(hasChromium, "chromium is not installed");
    Packaged.Run build = shell("docs/build --without-javadoc");
    assertEquals(0, build.exitCode(), build.err());
    Packaged.Run check =
        shell(". docs/site/python.sh && exec \"$venv/bin/python\" docs/site/check.py --quick");
    assertEquals(0, check.exitCode(), check.err());
  }

  private static Packaged.Run shell(String commands) throws Exception {
    List<String> command = List.of("sh", "-eu", "-c", commands);
    return Packaged.run(Pages.root(), Map.of(), command, PATIENCE_SECONDS);
  }
}
