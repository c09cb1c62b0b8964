package dev.tailwater.delivery.neighbour;

import java.util.Locale;

/** What programs wait for. */
public enum Resource {
  CPU,
  IO,
  MEMORY;

  /** The name of its file of pressure, and in settings. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}
