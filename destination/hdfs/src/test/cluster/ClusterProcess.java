import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSInotifyEventInputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.inotify.Event;
import org.apache.hadoop.hdfs.inotify.EventBatch;
import org.apache.hadoop.hdfs.protocol.OpenFileEntry;
import org.apache.hadoop.hdfs.protocol.OpenFilesIterator.OpenFilesType;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * A cluster from Hadoop's own test artifacts in a process of its own, so that its libraries do not
 * mix with those of the client. Started from its source, with the JARs on the class path:
 *
 * <pre>
 * java -cp JARS:DIRECTORY ClusterProcess.java DIRECTORY DATA-NODES [ha] [kerberos] [NAME=VALUE...]
 * </pre>
 *
 * It answers each line of its input with lines, the last of which is {@code ok} or {@code failed
 * ...}. It ends when its input ends.
 */
public final class ClusterProcess {
  private static final String REALM = "EXAMPLE.COM";

  private final Path directory;
  private final Configuration configuration = new HdfsConfiguration();
  private final boolean highlyAvailable;
  private MiniDFSCluster cluster;
  private DataNodeProperties stopped;
  private DFSInotifyEventInputStream events;

  private ClusterProcess(Path directory, boolean highlyAvailable) {
    this.directory = directory;
    this.highlyAvailable = highlyAvailable;
  }

  public static void main(String[] arguments) throws Exception {
    List<String> options = List.of(arguments).subList(2, arguments.length);
    ClusterProcess process =
        new ClusterProcess(Path.of(arguments[0]).toAbsolutePath(), options.contains("ha"));
    try {
      process.start(Integer.parseInt(arguments[1]), options);
    } catch (Exception e) {
      e.printStackTrace();
      Runtime.getRuntime().halt(1); // Otherwise Hadoop's threads would go on.
    }
    System.out.println("ok");
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      try {
        process.run(line.split(" "));
        System.out.println("ok");
      } catch (Exception e) {
        System.out.println("failed " + e.toString().replace('\n', ' '));
      }
    }
    Runtime.getRuntime().halt(0); // There is nothing to save.
  }

  private void start(int dataNodes, List<String> options) throws Exception {
    configuration.set("dfs.heartbeat.interval", "1");
    configuration.set("dfs.namenode.heartbeat.recheck-interval", "1000");
    configuration.set("dfs.namenode.safemode.extension", "0");
    configuration.set("hadoop.security.group.mapping.static.mapping.overrides", "dr.who=;");
    if (options.contains("kerberos")) {
      startKdc();
    }
    for (String option : options) {
      if (option.indexOf('=') > 0) {
        configuration.set(
            option.substring(0, option.indexOf('=')), option.substring(option.indexOf('=') + 1));
      }
    }
    MiniDFSCluster.Builder builder =
        new MiniDFSCluster.Builder(configuration, new File(directory.toFile(), "data"))
            .numDataNodes(dataNodes);
    if (highlyAvailable) {
      builder.nnTopology(MiniDFSNNTopology.simpleHATopology());
    }
    cluster = builder.build();
    if (highlyAvailable) {
      cluster.transitionToActive(0);
    }
    cluster.waitActive();
    openRoot();
    writeClientConfiguration(options.contains("kerberos"));
    System.out.println("port " + cluster.getNameNodePort(0));
  }

  /** Makes the root writable for everyone, as a directory for archives would be. */
  private void openRoot() throws IOException {
    DistributedFileSystem files = cluster.getFileSystem(0);
    files.setPermission(new org.apache.hadoop.fs.Path("/"), new FsPermission((short) 0777));
  }

  private void startKdc() throws Exception {
    Path kdcDirectory = Files.createDirectories(directory.resolve("kdc"));
    MiniKdc kdc = new MiniKdc(MiniKdc.createConf(), kdcDirectory.toFile());
    kdc.start();
    File keytab = directory.resolve("hdfs.keytab").toFile();
    kdc.createPrincipal(keytab, "hdfs/localhost", "HTTP/localhost");
    kdc.createPrincipal(directory.resolve("tailwater.keytab").toFile(), "tailwater/localhost");
    kdc.createPrincipal(directory.resolve("other.keytab").toFile(), "other/localhost");
    Files.copy(kdc.getKrb5conf().toPath(), directory.resolve("krb5.conf"));
    makeKeystore();
    String principal = "hdfs/localhost@" + REALM;
    Map.ofEntries(
            Map.entry("hadoop.security.authentication", "kerberos"),
            Map.entry("dfs.namenode.kerberos.principal", principal),
            Map.entry("dfs.namenode.keytab.file", keytab.toString()),
            Map.entry("dfs.datanode.kerberos.principal", principal),
            Map.entry("dfs.datanode.keytab.file", keytab.toString()),
            Map.entry("dfs.web.authentication.kerberos.principal", "HTTP/localhost@" + REALM),
            Map.entry("dfs.web.authentication.kerberos.keytab", keytab.toString()),
            Map.entry("dfs.block.access.token.enable", "true"),
            Map.entry("dfs.data.transfer.protection", "privacy"),
            Map.entry("dfs.http.policy", "HTTPS_ONLY"),
            Map.entry("dfs.namenode.https-address", "localhost:0"),
            Map.entry("dfs.datanode.https.address", "localhost:0"),
            Map.entry("dfs.namenode.rpc-address", "localhost:0"))
        .forEach(configuration::set);
    UserGroupInformation.setConfiguration(configuration);
    UserGroupInformation.loginUserFromKeytab(principal, keytab.toString());
  }

  private void makeKeystore() throws Exception {
    Path keystore = directory.resolve("keystore.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "cluster",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-storepass",
                "changeit",
                "-keystore",
                keystore.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (keytool.waitFor() != 0) {
      throw new IOException("keytool: " + said);
    }
    for (String side : List.of("server", "client")) {
      Configuration ssl = new Configuration(false);
      for (String store : List.of("keystore", "truststore")) {
        ssl.set("ssl." + side + "." + store + ".location", keystore.toString());
        ssl.set("ssl." + side + "." + store + ".password", "changeit");
        ssl.set("ssl." + side + "." + store + ".type", "PKCS12");
      }
      ssl.set("ssl." + side + ".keystore.keypassword", "changeit");
      write(ssl, directory.resolve("ssl-" + side + ".xml")); // Hadoop finds it on the class path.
    }
  }

  private void writeClientConfiguration(boolean kerberos) throws IOException {
    Configuration client = new Configuration(false);
    if (kerberos) {
      for (String name :
          List.of(
              "hadoop.security.authentication",
              "dfs.namenode.kerberos.principal",
              "dfs.data.transfer.protection")) {
        client.set(name, configuration.get(name));
      }
    }
    if (highlyAvailable) {
      String service = "minidfs-ns";
      client.set("dfs.nameservices", service);
      client.set("dfs.ha.namenodes." + service, "nn1,nn2");
      for (int i = 0; i < 2; i++) {
        client.set(
            "dfs.namenode.rpc-address." + service + ".nn" + (i + 1),
            "127.0.0.1:" + cluster.getNameNodePort(i));
      }
      client.set(
          "dfs.client.failover.proxy.provider." + service,
          "org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider");
    }
    Path conf = Files.createDirectories(directory.resolve("conf"));
    write(client, conf.resolve("hdfs-site.xml"));
  }

  private static void write(Configuration settings, Path file) throws IOException {
    try (OutputStream out = Files.newOutputStream(file)) {
      settings.writeXml(out);
    }
  }

  private void run(String[] command) throws Exception {
    switch (command[0]) {
      case "stop-data-node" -> stopped = cluster.stopDataNode(Integer.parseInt(command[1]));
      case "start-data-node" -> {
        cluster.restartDataNode(stopped, true);
        cluster.waitActive();
      }
      case "stop-name-node" -> cluster.shutdownNameNode(0);
      case "start-name-node" -> cluster.restartNameNode(0, false);
      case "wait-active" -> cluster.waitActive();
      case "fail-over" -> {
        cluster.transitionToStandby(0);
        cluster.transitionToActive(1);
      }
      case "lease-limit" ->
          cluster.setLeasePeriod(Long.parseLong(command[1]), Long.parseLong(command[2]));
      case "open-files" -> printOpenFiles();
      case "metrics" -> printMetrics();
      case "remove" ->
          cluster.getFileSystem(0).delete(new org.apache.hadoop.fs.Path(command[1]), true);
      case "renames" -> printRenames();
      default -> throw new IllegalArgumentException(command[0]);
    }
  }

  /** Prints the files that have a lease. */
  private void printOpenFiles() throws IOException {
    RemoteIterator<OpenFileEntry> open =
        cluster.getFileSystem(0).listOpenFiles(EnumSet.of(OpenFilesType.ALL_OPEN_FILES), "/");
    while (open.hasNext()) {
      System.out.println(open.next().getFilePath());
    }
  }

  /** Prints the renames since the last call, with the NameNode's time: {@code MILLIS PATH}. */
  private void printRenames() throws Exception {
    if (events == null) {
      events = cluster.getFileSystem(0).getInotifyEventStream();
    }
    for (EventBatch batch = events.poll(); batch != null; batch = events.poll()) {
      for (Event event : batch.getEvents()) {
        if (event instanceof Event.RenameEvent rename) {
          System.out.println(rename.getTimestamp() + " " + rename.getDstPath());
        }
      }
    }
  }

  /** Prints the counters of the NameNode and the data nodes: {@code CreateNumOps 17}. */
  private static void printMetrics() throws Exception {
    MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    for (ObjectName bean : beans.queryNames(new ObjectName("Hadoop:*"), null)) {
      String name = String.valueOf(bean.getKeyProperty("name"));
      boolean calls = name.startsWith("RpcDetailedActivity");
      if (!calls && !name.startsWith("DataNodeActivity")) {
        continue;
      }
      for (MBeanAttributeInfo attribute : beans.getMBeanInfo(bean).getAttributes()) {
        String counted = attribute.getName();
        if (calls
            ? counted.endsWith("NumOps")
            : counted.matches("Bytes(Written|Read)|FsyncCount")) {
          System.out.println(
              (calls ? "NameNode." : "DataNode.")
                  + counted
                  + " "
                  + beans.getAttribute(bean, counted));
        }
      }
    }
  }
}
