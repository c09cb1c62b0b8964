package dev.tailwater.delivery.notice;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/**
 * The cloud that this machine belongs to, as its firmware or hypervisor says in local files.
 * Outside of that cloud, the address of the metadata server may belong to somebody whose answers
 * must not be trusted.
 */
public final class MachineVendor {
  private static final Path STANDARD = Path.of("/sys");

  /** The {@code chassis_asset_tag} of Azure's machines; other machines by Microsoft lack it. */
  private static final String AZURE_TAG = "7783-7084-3265-9085-8269-3286-77";

  private final Path sysfs;

  /** Creates the vendor of this machine. */
  public MachineVendor() {
    this(STANDARD);
  }

  /**
   * Creates the vendor of a machine with this sysfs(5).
   *
   * @param sysfs where {@code class/dmi/id} and {@code hypervisor} are
   */
  public MachineVendor(Path sysfs) {
    this.sysfs = sysfs;
  }

  /**
   * A cloud that has a source of notices.
   *
   * @param name of its source
   * @param evidence how it was recognised
   */
  record Named(String name, String evidence) {}

  /** Returns the cloud that this machine belongs to; empty: none that is known. */
  Optional<Named> cloud() {
    return ec2().or(this::gce).or(this::azure);
  }

  /** Returns the cloud as {@code notices} calls it, such as {@code ec2}; empty: none is known. */
  public Optional<String> cloudName() {
    return cloud().map(Named::name);
  }

  /** Returns the cloud and the evidence in words, for the user. */
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

  /** Returns whether a UUID is EC2's; firmware may give the first group in the other byte order. */
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

  /** Reads a file; returns an empty text where there is none, or only root may read it. */
  private String text(String name) {
    try {
      return Files.readString(sysfs.resolve(name), StandardCharsets.ISO_8859_1).strip();
    } catch (IOException e) {
      return "";
    }
  }
}
