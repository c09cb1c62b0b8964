package dev.tailwater.lab.change;

import dev.tailwater.lab.result.Recommendation;
import dev.tailwater.lab.result.Recommendation.Place;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The limits of inotify(7) for all processes of this user together.
 *
 * @param instances fs.inotify.max_user_instances
 * @param watches fs.inotify.max_user_watches
 */
record InotifyLimits(long instances, long watches) {
  private static final Path DIRECTORY = Path.of("/proc/sys/fs/inotify");
  private static final String INSTANCES = "max_user_instances";
  private static final String WATCHES = "max_user_watches";

  /** Returns the limits of this host; empty if the kernel has none. */
  static Optional<InotifyLimits> ofHost() throws IOException {
    return Files.isReadable(DIRECTORY.resolve(WATCHES))
        ? Optional.of(new InotifyLimits(read(INSTANCES), read(WATCHES)))
        : Optional.empty();
  }

  private static long read(String name) throws IOException {
    return Long.parseLong(Files.readString(DIRECTORY.resolve(name)).strip());
  }

  /**
   * Recommends which limit to raise, if a method reached one.
   *
   * @param refused methods that could not be measured, with their messages
   * @param files that are watched, which a program may want to watch one by one
   */
  List<Recommendation> recommendations(Map<ChangeWay, String> refused, int files) {
    List<Recommendation> all = new ArrayList<>();
    refused.forEach(
        (way, reason) -> {
          if (way == ChangeWay.POLLING || way == ChangeWay.FANOTIFY) {
            return; // They need none of it.
          }
          // These words are from the JDK's messages and the hints of DirectoryWatch.
          boolean ofInstances = reason.contains("instance");
          if (ofInstances || reason.contains("inotify watches")) {
            long now = ofInstances ? instances : watches;
            long wanted = ofInstances ? 2 * now : Math.max(2 * now, files);
            String key = "fs.inotify." + (ofInstances ? INSTANCES : WATCHES);
            if (all.stream().noneMatch(said -> said.key().equals(key))) {
              all.add(
                  new Recommendation(
                      Place.HOST,
                      key,
                      String.valueOf(wanted),
                      "%s could not watch %d files: %s; it is %d now, for all programs of a user."
                          .formatted(way.words(), files, reason, now)));
            }
          }
        });
    return List.copyOf(all);
  }
}
