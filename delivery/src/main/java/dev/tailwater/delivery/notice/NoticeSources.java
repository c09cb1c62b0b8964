package dev.tailwater.delivery.notice;

import dev.tailwater.delivery.command.UserCommand;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A factory of sources, which also finds out which cloud this is. Thread-safe. */
public final class NoticeSources {
  /**
   * How long to wait for an answer, in each attempt. A metadata server is on the same host, so it
   * answers at once or not at all, unless this machine is very busy while it starts.
   */
  private static final List<Duration> DETECTION =
      List.of(Duration.ofSeconds(1), Duration.ofSeconds(4));

  private static final Duration HANG = Duration.ofSeconds(60);

  private final MetadataHttpClient http = new MetadataHttpClient();
  private final CloudEndpoints endpoints;
  private final InstantSource wallClock;
  private final MachineVendor vendor;
  private final List<Duration> detection;

  /**
   * Creates a factory.
   *
   * @param vendor says which cloud this is
   */
  public NoticeSources(CloudEndpoints endpoints, InstantSource wallClock, MachineVendor vendor) {
    this(endpoints, wallClock, vendor, DETECTION);
  }

  /**
   * Creates a factory.
   *
   * @param detection how long to wait for an answer, in each attempt
   */
  NoticeSources(
      CloudEndpoints endpoints,
      InstantSource wallClock,
      MachineVendor vendor,
      List<Duration> detection) {
    this.detection = List.copyOf(detection);
    this.endpoints = endpoints;
    this.wallClock = wallClock;
    this.vendor = vendor;
  }

  /** Returns the sources of EC2: spot interruptions and rebalance recommendations. */
  public List<NoticeSource> ec2() {
    return endpoints.ec2().stream()
        .<NoticeSource>map(endpoint -> new Ec2Source(http, endpoint, wallClock))
        .toList();
  }

  /** Returns the sources of Google Compute Engine: preemptions and host maintenance. */
  public List<NoticeSource> gce() {
    return List.of(
        new GceSource(http, endpoints.gce(), GceSource.Key.PREEMPTED, HANG),
        new GceSource(http, endpoints.gce(), GceSource.Key.MAINTENANCE, HANG));
  }

  /**
   * Returns the sources of Azure: Scheduled Events.
   *
   * @param acknowledgeEarly whether an event may start as soon as nothing is at risk, though
   *     programs may still write
   */
  public List<NoticeSource> azure(boolean acknowledgeEarly) {
    return List.of(new AzureSource(http, endpoints.azure(), wallClock, acknowledgeEarly));
  }

  /**
   * Creates a source that is a file.
   *
   * @param usual how long the machine lives on when the file names no deadline
   */
  public NoticeSource file(Path file, Duration every, Duration usual) {
    return new FileSource(file, every, usual, wallClock);
  }

  /** Creates a source that is an HTTP endpoint, which must answer within the limit. */
  public NoticeSource http(URI uri, Duration every, Duration limit, Duration usual) {
    return new HttpSource(http, uri, every, limit, usual, wallClock);
  }

  /** Creates a source that is a command. */
  public NoticeSource command(UserCommand command, Duration every, Duration usual) {
    return new CommandSource(command, every, usual, wallClock);
  }

  /**
   * Finds the sources of the cloud that this machine belongs to, by what the firmware or the
   * hypervisor says. Other clouds are asked only if the environment names their metadata server,
   * for one second and then for four, and count if they answer.
   */
  public Detection ofThisCloud() throws InterruptedException {
    Optional<MachineVendor.Named> here = vendor.cloud();
    List<NoticeSource> found = new ArrayList<>();
    Set<String> asked = new TreeSet<>(endpoints.named());
    here.ifPresent(cloud -> asked.remove(cloud.name()));
    for (Duration timeout : asked.isEmpty() ? List.<Duration>of() : detection) {
      if (found.isEmpty()) {
        found.addAll(whoAnswers(asked, timeout));
      }
    }
    if (!found.isEmpty()) {
      return new Detection(found, "the environment names its metadata server, which answers");
    }
    return new Detection(
        here.map(cloud -> of(cloud.name())).orElse(List.of()), vendor.description());
  }

  private List<NoticeSource> whoAnswers(Set<String> asked, Duration timeout)
      throws InterruptedException {
    List<Callable<List<NoticeSource>>> questions = new ArrayList<>();
    for (String cloud : asked) {
      questions.add(() -> answers(cloud, timeout) ? of(cloud) : List.of());
    }
    List<NoticeSource> found = new ArrayList<>();
    try (ExecutorService asking = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<List<NoticeSource>> answer : asking.invokeAll(questions)) {
        found.addAll(answered(answer));
      }
    }
    return found;
  }

  private boolean answers(String cloud, Duration timeout) throws IOException {
    return switch (cloud) {
      case Ec2Source.NAME ->
          endpoints.ec2().isPresent() && Ec2Source.answers(http, endpoints.ec2().get(), timeout);
      case GceSource.NAME -> GceSource.answers(http, endpoints.gce(), timeout);
      default -> AzureSource.answers(http, endpoints.azure(), timeout);
    };
  }

  /** Returns the sources; none when there was no answer: it is another cloud, or none. */
  private static List<NoticeSource> answered(Future<List<NoticeSource>> answer)
      throws InterruptedException {
    try {
      return answer.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException) {
        return List.of();
      }
      throw new IllegalStateException("asking which cloud this is failed", e);
    }
  }

  private List<NoticeSource> of(String cloud) {
    return switch (cloud) {
      case Ec2Source.NAME -> ec2();
      case GceSource.NAME -> gce();
      default -> azure(false);
    };
  }
}
