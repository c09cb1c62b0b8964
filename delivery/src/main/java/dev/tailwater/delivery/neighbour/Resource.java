package dev.tailwater.delivery.neighbour;

import java.util.Locale;

/** A resource that programs wait for. */
public enum Resource {
  CPU,
  IO,
  MEMORY;

  /** Returns its name in pressure files and settings. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}
