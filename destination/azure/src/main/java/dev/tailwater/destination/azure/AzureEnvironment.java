package dev.tailwater.destination.azure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;

/**
 * Where credentials may come from, and where their servers are.
 *
 * @param variables the values of environment variables
 * @param root of the file system
 */
record AzureEnvironment(Function<String, Optional<String>> variables, Path root) {
  private static final Path CHASSIS = Path.of("sys/class/dmi/id/chassis_asset_tag");

  /** What Azure writes into the firmware of each of its machines. */
  private static final String AZURE = "7783-7084-3265-9085-8269-3286-77";

  static AzureEnvironment ofTheMachine() {
    return new AzureEnvironment(name -> Optional.ofNullable(System.getenv(name)), Path.of("/"));
  }

  /** Returns the value of a variable that is set and not empty. */
  Optional<String> variable(String name) {
    return variables.apply(name).filter(value -> !value.isEmpty());
  }

  /**
   * Returns whether the firmware says that this is a machine of Azure. Elsewhere any machine could
   * take the address of its metadata server.
   */
  boolean isAzure() {
    try {
      return Files.readString(root.resolve(CHASSIS)).strip().equals(AZURE);
    } catch (IOException e) {
      return false; // Hidden or not there.
    }
  }
}
