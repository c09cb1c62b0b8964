package dev.tailwater.delivery.notice;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Which cloud the firmware of this machine says it is ({@code /sys/class/dmi/id}, which nobody
 * needs to be asked for). It tells when the metadata servers do not answer yet, since the agent was
 * started before the network.
 */
final class MachineVendor {
  private static final Path STANDARD = Path.of("/sys/class/dmi/id");

  /** What Azure's machines have as {@code chassis_asset_tag}; others by Microsoft do not. */
  private static final String AZURE_TAG = "7783-7084-3265-9085-8269-3286-77";

  private final Path directory;

  MachineVendor() {
    this(STANDARD);
  }

  MachineVendor(Path directory) {
    this.directory = directory;
  }

  /** The name of the source that tells of this cloud's notices; empty: of none that is known. */
  Optional<String> cloud() {
    if (text("sys_vendor").equals("Amazon EC2") || text("product_version").contains("amazon")) {
      return Optional.of(Ec2Source.NAME);
    }
    if (text("product_name").equals("Google Compute Engine")) {
      return Optional.of(GceSource.NAME);
    }
    return text("chassis_asset_tag").equals(AZURE_TAG)
        ? Optional.of(AzureSource.NAME)
        : Optional.empty();
  }

  /** Empty where there is no such file: many machines have no such firmware. */
  private String text(String name) {
    try {
      return Files.readString(directory.resolve(name), StandardCharsets.ISO_8859_1).strip();
    } catch (IOException e) {
      return "";
    }
  }
}
