package dev.tailwater.delivery.hook;

import java.util.Locale;

/** A moment at which a hook is run. */
public enum HookMoment {
  /**
   * The machine is about to go away, or the agent was told to stop: everything is delivered now.
   */
  HURRY,
  /** Reading has stopped for good; there is just time to record what is left. */
  LAST_GASP,
  /** Nothing is at risk: all that has been written is delivered. */
  SAFE,
  /** The notice was withdrawn: everything goes on as before. */
  STEADY;

  /** Returns its name in TAILWATER_PHASE and, after {@code on_}, in the configuration. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
