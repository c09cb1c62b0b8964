package dev.tailwater.destination.hdfs;

import dev.tailwater.destination.DestinationOption;
import java.util.Arrays;
import java.util.List;

/** The table of options in the query of an {@code hdfs:} URI. */
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

  private final DestinationOption option;

  HdfsOption(String placeholder, String standard, String meaning) {
    this.option = DestinationOption.of(name(), placeholder, standard, meaning);
  }

  /** Returns the name in the query of a URI: {@code replication}. */
  String key() {
    return option.name();
  }

  static List<DestinationOption> all() {
    return Arrays.stream(values()).map(o -> o.option).toList();
  }
}
