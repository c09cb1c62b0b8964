package dev.tailwater.destination.hdfs;

import dev.tailwater.destination.DestinationOption;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The table of what can be set in the query of an {@code hdfs:} URI. */
enum HdfsOption {
  CONFIG(
      "DIR",
      "HADOOP_CONF_DIR, if it is set",
      "The directory with the cluster's core-site.xml and hdfs-site.xml."),
  USER(
      "NAME",
      "HADOOP_USER_NAME, else the account",
      "Whose name the files get, on a cluster without Kerberos."),
  PRINCIPAL(
      "NAME",
      "that of kinit's ticket",
      "The Kerberos principal that keytab belongs to; _HOST in it stands for this machine's name."),
  KEYTAB(
      "FILE",
      "kinit's ticket is used",
      "The file with the principal's keys, from which tickets are renewed."),
  REPLICATION(
      "N",
      "dfs.replication of the configuration, else 3",
      "On how many data nodes each object is kept.");

  private final String placeholder;
  private final String standard;
  private final String meaning;

  HdfsOption(String placeholder, String standard, String meaning) {
    this.placeholder = placeholder;
    this.standard = standard;
    this.meaning = meaning;
  }

  /** As in the query: {@code replication}. */
  String key() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static List<DestinationOption> all() {
    return Arrays.stream(values())
        .map(o -> new DestinationOption(o.key(), o.placeholder, o.standard, o.meaning))
        .toList();
  }
}
