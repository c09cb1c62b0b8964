package dev.tailwater.bench.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code bench generate}: writes the file that the other benchmarks use. */
@Command(
    name = "generate",
    description = "Write an access log; the same seed gives the same bytes.")
public final class GenerateCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FILE", description = "Where to.")
  private Path file = Path.of("");

  @Mixin private SizeOptions size = new SizeOptions();

  @Override
  public Integer call() throws IOException {
    size.generate(file);
    return 0;
  }
}
