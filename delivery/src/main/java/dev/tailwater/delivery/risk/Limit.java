package dev.tailwater.delivery.risk;

/** A reason why more is at risk than the bound allows. */
public enum Limit {
  /** Deliveries fail, or the destination does not even tell what it holds. */
  DESTINATION(
      "the destination fails, and is tried again",
      "what the destination says is reported by itself; 'tailwater status' shows it"),
  /** Most of it is read, sealed and in flight. */
  UPLINK(
      "the uplink is the limit: what is sealed stays in flight too long",
      "a wider uplink or a stronger codec (compress) helps, or a larger max_at_risk"),
  /** The same, because of what was configured. */
  BANDWIDTH(
      "the configured bandwidth is the limit",
      "raise bandwidth, or max_at_risk; in a drain bandwidth does not count"),
  /** Files cannot be read. */
  SOURCES(
      "files cannot be read, and are tried again",
      "what is wrong with each is reported by itself; 'tailwater status' shows it"),
  /** Nobody looks at the sources, so that what is at risk is not known. */
  UNSEEN(
      "the sources have not been looked at for too long",
      "what holds up the look is reported by itself; 'tailwater status' shows it"),
  /** Reading, compressing and encrypting. */
  CPU(
      "reading and compressing is the limit",
      "more workers or a faster codec (compress: zstd:-5) helps, or a larger max_at_risk"),
  /** No stage is at its limit, and yet it is too much. */
  WRITERS(
      "programs write more at once than the bound allows",
      "max_at_risk is smaller than what programs write before it can be noticed; raise it");

  private final String reason;
  private final String hint;

  Limit(String reason, String hint) {
    this.reason = reason;
    this.hint = hint;
  }

  /** Returns the reason as a clause for people. */
  public String reason() {
    return reason;
  }

  /** Returns what a user can do about it. */
  public String hint() {
    return hint;
  }
}
