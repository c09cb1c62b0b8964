package dev.tailwater.destination.hdfs;

import dev.tailwater.destination.PermanentDestinationException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of Hadoop's client: the cluster's own files, with time limits and retries that
 * suit an agent instead of a batch job.
 *
 * @param place whose options count
 * @param limits for every call
 */
record ClientSettings(HdfsPlace place, TimeLimits limits) {
  private static final List<String> FILES = List.of("core-site.xml", "hdfs-site.xml");
  private static final String REPLACE_BEST_EFFORT =
      HdfsClientConfigKeys.BlockWrite.ReplaceDatanodeOnFailure.BEST_EFFORT_KEY;

  Configuration read() throws PermanentDestinationException {
    Configuration settings = new HdfsConfiguration();
    Optional<Path> directory = place.config().or(ClientSettings::surroundings);
    if (directory.isPresent()) {
      addFiles(settings, directory.get());
    }
    if (place.kerberos().isPresent()) {
      settings.set(CommonConfigurationKeysPublic.HADOOP_SECURITY_AUTHENTICATION, "kerberos");
    }
    place
        .replication()
        .ifPresent(n -> settings.setInt(HdfsClientConfigKeys.DFS_REPLICATION_KEY, n));
    failSoon(settings);
    goOnWithFewerDataNodes(settings);
    return settings;
  }

  private static Optional<Path> surroundings() {
    @Nullable String directory = System.getenv("HADOOP_CONF_DIR");
    return directory == null || directory.isEmpty()
        ? Optional.empty()
        : Optional.of(Path.of(directory));
  }

  private void addFiles(Configuration settings, Path directory)
      throws PermanentDestinationException {
    boolean found = false;
    for (String name : FILES) {
      Path file = directory.resolve(name);
      if (Files.isReadable(file)) {
        settings.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
        found = true;
      }
    }
    if (!found) {
      throw new PermanentDestinationException(
          place.uri(),
          "open",
          "",
          "neither core-site.xml nor hdfs-site.xml can be read in " + directory,
          "Copy them from a machine of the cluster, and let config in the URI or HADOOP_CONF_DIR"
              + " name their directory.");
    }
    try {
      settings.size(); // This reads the files.
    } catch (RuntimeException e) {
      throw new PermanentDestinationException(
          place.uri(),
          "open",
          "",
          "the configuration in " + directory + " cannot be read: " + e.getMessage(),
          "Correct the file.",
          e);
    }
  }

  /**
   * Sets short time limits and few retries, since delivery retries; the client itself tries only
   * the other NameNode.
   */
  private void failSoon(Configuration settings) {
    setMillis(
        settings, CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_TIMEOUT_KEY, limits.connect());
    setMillis(settings, CommonConfigurationKeys.IPC_CLIENT_RPC_TIMEOUT_KEY, limits.answer());
    settings.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_KEY, 0);
    settings.setInt(
        CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_ON_SOCKET_TIMEOUTS_KEY, 0);
    settings.setBoolean(HdfsClientConfigKeys.Retry.POLICY_ENABLED_KEY, false);
    settings.setInt(HdfsClientConfigKeys.Retry.MAX_ATTEMPTS_KEY, 3);
    settings.setInt(HdfsClientConfigKeys.Failover.MAX_ATTEMPTS_KEY, 4);
    settings.setInt(HdfsClientConfigKeys.Failover.SLEEPTIME_BASE_KEY, 200);
    settings.setInt(HdfsClientConfigKeys.Failover.SLEEPTIME_MAX_KEY, 2000);
    setMillis(settings, HdfsClientConfigKeys.DFS_CLIENT_SOCKET_TIMEOUT_KEY, limits.data());
    setMillis(settings, HdfsClientConfigKeys.DFS_DATANODE_SOCKET_WRITE_TIMEOUT_KEY, limits.data());
    settings.setInt(HdfsClientConfigKeys.BlockWrite.RETRIES_KEY, 3);
    settings.setInt(HdfsClientConfigKeys.BlockWrite.LOCATEFOLLOWINGBLOCK_RETRIES_KEY, 5);
    settings.setInt(HdfsClientConfigKeys.BlockWrite.LOCATEFOLLOWINGBLOCK_INITIAL_DELAY_MS_KEY, 200);
    settings.setInt(HdfsClientConfigKeys.Retry.WINDOW_BASE_KEY, 500);
    // Packets of 64 KiB each, for every object that is being written.
    settings.setInt(HdfsClientConfigKeys.Write.MAX_PACKETS_IN_FLIGHT_KEY, 32);
    // Otherwise the client would keep each failed put, and renew its lease, for the life of the
    // process.
    settings.setBoolean(HdfsClientConfigKeys.Write.RECOVER_LEASE_ON_CLOSE_EXCEPTION_KEY, true);
  }

  private static void setMillis(Configuration settings, String key, Duration duration) {
    settings.setInt(key, Math.toIntExact(duration.toMillis()));
  }

  /**
   * Lets a write go on with fewer data nodes, unless the cluster's files say otherwise. The
   * NameNode makes the missing copies later.
   */
  private static void goOnWithFewerDataNodes(Configuration settings) {
    String @Nullable [] sources = settings.getPropertySources(REPLACE_BEST_EFFORT);
    if (sources == null || List.of(sources).stream().allMatch(s -> s.endsWith("-default.xml"))) {
      settings.setBoolean(REPLACE_BEST_EFFORT, true);
    }
  }
}
