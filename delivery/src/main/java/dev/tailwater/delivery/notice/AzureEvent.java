package dev.tailwater.delivery.notice;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One of Azure's Scheduled Events. How long they leave is specified in "Azure Metadata Service:
 * Scheduled Events for Linux VMs", section Event Scheduling: at least 30 seconds for Preempt, 5 to
 * 15 minutes as configured for Terminate, 10 minutes for Redeploy, and 15 minutes for Reboot and
 * Freeze.
 *
 * @param notBefore when it may start; empty once it has started
 * @param resources the names of the machines that it concerns
 */
record AzureEvent(
    String id,
    String type,
    String status,
    Optional<Instant> notBefore,
    List<String> resources,
    String description) {

  /** What is assumed to be left once it has started: the machine may be gone at any moment. */
  private static final Duration AFTER_START = Duration.ofSeconds(5);

  static AzureEvent of(JsonObject json) throws IOException {
    String id = json.text("EventId").orElseThrow(() -> new IOException("an event without EventId"));
    return new AzureEvent(
        id,
        json.text("EventType").orElse(""),
        json.text("EventStatus").orElse(""),
        json.text("NotBefore").flatMap(HttpAnswer::httpDate),
        json.texts("Resources"),
        json.text("Description").orElse(""));
  }

  boolean concerns(String machine) {
    return resources.stream().anyMatch(machine::equalsIgnoreCase);
  }

  /** Returns whether it concerns no other machine, so that it may be acknowledged. */
  boolean concernsNoOther(String machine) {
    return resources.stream().allMatch(machine::equalsIgnoreCase);
  }

  boolean hasStarted() {
    return status.equals("Started");
  }

  /**
   * Returns the event as a notice.
   *
   * @param now the time by the clock of the server that named the deadline
   */
  Notice notice(Instant now) {
    // An event that starts is a new notice, whatever time it had named before.
    return new Notice(kind(), hasStarted() ? id + " started" : id, left(now), usual(), text());
  }

  boolean endsMachine() {
    return kind() == Notice.Kind.TERMINATION;
  }

  /**
   * Returns whether it is so near that agents hurry because of it, so that it may as well start.
   */
  boolean isNear(Instant now) {
    return left(now).filter(left -> left.compareTo(Notice.LONGEST_HURRY) > 0).isEmpty();
  }

  private Optional<Duration> left(Instant now) {
    if (notBefore.isEmpty()) {
      return hasStarted() ? Optional.of(AFTER_START) : Optional.empty();
    }
    return notBefore.map(at -> Duration.between(now, at));
  }

  private Notice.Kind kind() {
    return switch (type) {
      case "Preempt", "Terminate", "Reboot", "Redeploy" -> Notice.Kind.TERMINATION;
      case "Freeze" -> Notice.Kind.PAUSE;
      default -> Notice.Kind.RISK; // A type that this version does not know.
    };
  }

  private Duration usual() {
    return switch (type) {
      case "Preempt" -> Duration.ofSeconds(30);
      case "Terminate" -> Duration.ofMinutes(5);
      case "Redeploy" -> Duration.ofMinutes(10);
      default -> Duration.ofMinutes(15);
    };
  }

  private String text() {
    String what = type.isEmpty() ? "an event" : type;
    String when = notBefore.map(at -> " not before " + at).orElse(hasStarted() ? " has begun" : "");
    return what + when + (description.isBlank() ? "" : ": " + description.strip());
  }
}
