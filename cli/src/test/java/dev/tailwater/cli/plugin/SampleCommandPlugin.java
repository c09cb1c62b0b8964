package dev.tailwater.cli.plugin;

import dev.tailwater.cli.host.Surroundings;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** A command named as the lab is, which prints the class loader of its thread. */
public final class SampleCommandPlugin implements CommandPlugin {
  /** For {@link java.util.ServiceLoader}. */
  public SampleCommandPlugin() {}

  @Override
  public String name() {
    return "lab";
  }

  @Override
  public CommandLine command(Surroundings surroundings) {
    return new CommandLine(new Sample(surroundings));
  }

  @Command(name = "lab", description = "A sample.")
  private static final class Sample implements Runnable {
    private final Surroundings surroundings;

    Sample(Surroundings surroundings) {
      this.surroundings = surroundings;
    }

    @Override
    public void run() {
      surroundings.out().println(Thread.currentThread().getContextClassLoader().getName());
    }
  }
}
