package dev.tailwater.delivery.notice;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/**
 * Which cloud the firmware or the hypervisor of this machine says it is, from files that nobody
 * needs to be asked for. Elsewhere the address at which clouds have their metadata belongs to
 * somebody, whose answers must not be believed.
 */
public final class MachineVendor {
  private static final Path STANDARD = Path.of("/sys");

  /** What Azure's machines have as {@code chassis_asset_tag}; others by Microsoft do not. */
  private static final String AZURE_TAG = "7783-7084-3265-9085-8269-3286-77";

  private final Path sysfs;

  /** This machine's. */
  public MachineVendor() {
    this(STANDARD);
  }

  /**
   * @param sysfs where {@code class/dmi/id} and {@code hypervisor} are
   */
  public MachineVendor(Path sysfs) {
    this.sysfs = sysfs;
  }

  /**
   * A cloud whose notices can be asked for.
   *
   * @param name of its source
   * @param evidence which file says so
   */
  record Named(String name, String evidence) {}

  /** The cloud that this machine says it is of; empty: of none that is known. */
  Optional<Named> cloud() {
    return ec2().or(this::gce).or(this::azure);
  }

  /** In words, for the user. */
  public String description() {
    return cloud()
        .map(named -> named.name() + ", since " + named.evidence())
        .orElse("no cloud, since neither DMI nor the hypervisor names one that is known");
  }

  private Optional<Named> ec2() {
    if (dmi("sys_vendor").equals("Amazon EC2")) {
      return Optional.of(new Named(Ec2Source.NAME, "sys_vendor is Amazon EC2"));
    }
    if (dmi("board_asset_tag").startsWith("i-")) {
      return Optional.of(new Named(Ec2Source.NAME, "board_asset_tag is that of an instance"));
    }
    // Instances on Xen: https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/identify_ec2_instances
    if (isOfEc2(text("hypervisor/uuid"))) {
      return Optional.of(new Named(Ec2Source.NAME, "the hypervisor's uuid begins with ec2"));
    }
    return isOfEc2(dmi("product_uuid")) && dmi("product_version").contains("amazon")
        ? Optional.of(new Named(Ec2Source.NAME, "product_uuid begins with ec2"))
        : Optional.empty();
  }

  /** Firmware may have the first group in the other byte order. */
  private static boolean isOfEc2(String uuid) {
    String lower = uuid.toLowerCase(Locale.ROOT);
    return lower.startsWith("ec2") || lower.matches("[0-9a-f]{4}2[0-9a-f]ec-.*");
  }

  private Optional<Named> gce() {
    return dmi("product_name").equals("Google Compute Engine")
        ? Optional.of(new Named(GceSource.NAME, "product_name is Google Compute Engine"))
        : Optional.empty();
  }

  private Optional<Named> azure() {
    return dmi("chassis_asset_tag").equals(AZURE_TAG)
        ? Optional.of(new Named(AzureSource.NAME, "chassis_asset_tag is Azure's"))
        : Optional.empty();
  }

  private String dmi(String name) {
    return text("class/dmi/id/" + name);
  }

  /** Empty where there is no such file, or only root may read it: many machines have none. */
  private String text(String name) {
    try {
      return Files.readString(sysfs.resolve(name), StandardCharsets.ISO_8859_1).strip();
    } catch (IOException e) {
      return "";
    }
  }
}
