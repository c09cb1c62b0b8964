package dev.tailwater.delivery.hook;

import java.util.Locale;

/** When a hook is run. */
public enum HookMoment {
  /**
   * The machine is about to go away, or the agent was told to stop: everything is delivered now.
   */
  HURRY,
  /** Reading has stopped for ever; there is just time to write down what is left. */
  LAST_GASP,
  /** Nothing is at risk: all that was written until now is delivered. */
  SAFE,
  /** The notice was withdrawn: everything goes on as before. */
  STEADY;

  /** As hooks see it in TAILWATER_PHASE, and as it follows {@code on_} in the configuration. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
