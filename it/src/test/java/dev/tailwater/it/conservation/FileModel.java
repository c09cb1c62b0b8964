package dev.tailwater.it.conservation;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.TestAgent;
import dev.tailwater.delivery.status.FileDelivery;
import dev.tailwater.delivery.status.StatusReport;
import dev.tailwater.io.Descriptor;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.NameCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.OpenFlag;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Does to real files what programs do to them, and remembers what each inode generation was made to
 * hold. Before a file loses its last name or its bytes, the agent is asked what it has.
 */
final class FileModel {
  private final AgentLives agents;
  private final List<ModelFile> files = new ArrayList<>();
  private final TreeMap<Path, ModelFile> byName = new TreeMap<>();
  private final TreeMap<Path, ModelFile> outside = new TreeMap<>();
  private final Map<String, Long> accountedBytes = new HashMap<>();
  private final List<Shrinkage> shrinkages = new ArrayList<>();
  private final Set<PosixPath> unseenNames = new HashSet<>();
  private final List<Snapshot> snapshots = new ArrayList<>();

  /** Files that came and went while the agent lives; their names are used only once. */
  private final Map<PosixPath, ModelFile> shortLives = new HashMap<>();

  /** A stream lost bytes that the agent had seen, and it will see that. */
  private record Shrinkage(ModelFile file, String stream, long seenBytes) {}

  FileModel(AgentLives agents) {
    this.agents = agents;
  }

  List<ModelFile> files() {
    return files;
  }

  /** The watched names, in order. */
  List<Path> names() {
    return List.copyOf(byName.keySet());
  }

  List<Path> outsideNames() {
    return List.copyOf(outside.keySet());
  }

  ModelFile at(Path name) {
    ModelFile file = byName.get(name);
    if (file == null) {
      throw new IllegalArgumentException(name + " is not in the model");
    }
    return file;
  }

  boolean exists(Path name) {
    return byName.containsKey(name) || outside.containsKey(name);
  }

  /** Until where segments and gap records together must cover a stream, by stream id. */
  Map<String, Long> accountedBytes() {
    return accountedBytes;
  }

  /** A new file; it is empty first, as any file is. */
  ModelFile create(Path name, String mode, byte[] content) throws IOException {
    Files.createFile(
        name, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode)));
    ModelFile file = register(name);
    bind(name, file);
    append(name, content);
    return file;
  }

  private ModelFile register(Path name) throws IOException {
    ModelFile file =
        new ModelFile(
            files.size(), agents.lives(), StreamId.of(AgentLives.agentName(), identity(name), 0));
    files.add(file);
    return file;
  }

  private static FileIdentity identity(Path name) throws IOException {
    try (Descriptor open =
        Descriptor.open(
            TestAgent.REAL_CALLS,
            NameCalls.AT_FDCWD,
            PosixPath.of(name),
            EnumSet.noneOf(OpenFlag.class),
            0)) {
      return FileIdentity.of(TestAgent.REAL_CALLS, open.fd());
    }
  }

  private void bind(Path name, ModelFile file) {
    byName.put(name, file);
    file.names().add(name);
    file.everNames().add(name);
    file.found();
  }

  void append(Path name, byte[] more) throws IOException {
    Files.write(name, more, StandardOpenOption.APPEND);
    grown(name, more);
  }

  private void grown(Path name, byte[] more) {
    ModelFile file = at(name);
    file.append(more);
    shrinkages.removeIf(s -> s.file() == file && file.current().sizeBytes() >= s.seenBytes());
  }

  /** A hole, and bytes behind it. */
  void appendBehindHole(Path name, int holeBytes, byte[] more) throws IOException {
    byte[] both = new byte[holeBytes + more.length];
    System.arraycopy(more, 0, both, holeBytes, more.length);
    try (FileChannel channel = FileChannel.open(name, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(more), channel.size() + holeBytes);
    }
    grown(name, both);
  }

  /** Cuts the file off, which is a new birth that begins with what is left. */
  void truncate(Path name, int toBytes) throws IOException {
    ModelFile file = at(name);
    byte[] left = Arrays.copyOf(file.current().bytes(), toBytes);
    noteShrinkage(name, file, toBytes);
    try (FileChannel channel = FileChannel.open(name, StandardOpenOption.WRITE)) {
      channel.truncate(toBytes);
    }
    file.beginBirth(left);
  }

  /** Replaces bytes and keeps the size, as databases do. */
  void overwrite(Path name, int offset, byte[] bytes) throws IOException {
    try (FileChannel channel = FileChannel.open(name, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(bytes), offset);
    }
    overwritten(name, offset, bytes);
  }

  /** Replaces bytes through a mapping, and has them written back. */
  void overwriteMapped(Path name, int offset, byte[] bytes) throws IOException {
    try (Arena arena = Arena.ofConfined(); // Unmapped at its end, or nobody could unmount.
        FileChannel channel =
            FileChannel.open(name, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      MemorySegment mapped =
          channel.map(FileChannel.MapMode.READ_WRITE, offset, bytes.length, arena);
      MemorySegment.copy(bytes, 0, mapped, ValueLayout.JAVA_BYTE, 0, bytes.length);
      mapped.force();
    }
    overwritten(name, offset, bytes);
  }

  private void overwritten(Path name, int offset, byte[] bytes) {
    ModelFile file = at(name);
    byte[] now = file.current().bytes();
    System.arraycopy(bytes, 0, now, offset, bytes.length);
    file.rewritten(now);
  }

  /**
   * Changes the file with fallocate(1); what is allocated, punched out or zeroed reads as zeros.
   */
  void allocate(Path name, String mode, int offset, int length)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("fallocate"));
    if (!mode.isEmpty()) {
      command.add(mode);
    }
    command.addAll(List.of("-o", "" + offset, "-l", "" + length, name.toString()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(command + " failed: " + said);
    }
    ModelFile file = at(name);
    byte[] before = file.current().bytes();
    if (mode.isEmpty()) {
      grown(name, new byte[Math.max(0, offset + length - before.length)]);
    } else {
      overwritten(name, offset, new byte[length]);
    }
  }

  /** Truncates the file and has it grow again before anybody looks, with the same end. */
  void regrow(Path name, int toBytes, byte[] more) throws IOException {
    ModelFile file = at(name);
    byte[] now = Arrays.copyOf(file.current().bytes(), toBytes + more.length);
    System.arraycopy(more, 0, now, toBytes, more.length);
    try (FileChannel channel = FileChannel.open(name, StandardOpenOption.WRITE)) {
      channel.truncate(toBytes);
      channel.write(ByteBuffer.wrap(more), toBytes);
    }
    file.rewritten(now);
  }

  /** What {@code >} does in a shell. */
  void rewrite(Path name, byte[] content) throws IOException {
    truncate(name, 0);
    append(name, content);
  }

  private void noteShrinkage(Path name, ModelFile file, int toBytes) throws IOException {
    acknowledge(name);
    // Of an older file the agent may still be finding out to which stream its size belongs.
    if (!agents.isAlive() || file.bornInLife() != agents.lives()) {
      return;
    }
    String stream = agents.status(name).flatMap(FileDelivery::stream).orElse("");
    for (StatusReport.FileAtRisk atRisk : agents.agent().agent().status().files().atRisk()) {
      if (atRisk.stream().equals(stream) && toBytes < atRisk.sizeBytes()) {
        shrinkages.add(new Shrinkage(file, stream, atRisk.sizeBytes()));
      }
    }
  }

  void rename(Path from, Path to) throws IOException {
    ModelFile file = at(from);
    ModelFile replaced = byName.get(to);
    if (replaced == file) {
      return; // rename(2) of one link over another does nothing.
    }
    boolean held = replaced != null && isHeld(to);
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    if (replaced != null) {
      unbind(to, replaced, held);
    }
    byName.remove(from);
    file.names().remove(from);
    bind(to, file);
  }

  /** Renames a directory, with all files below it. */
  void renameDirectory(Directories.Renaming renaming) throws IOException {
    Files.move(renaming.from(), renaming.to(), StandardCopyOption.ATOMIC_MOVE);
    for (Path name : names()) {
      if (name.startsWith(renaming.from())) {
        ModelFile file = at(name);
        byName.remove(name);
        file.names().remove(name);
        bind(renaming.applied(name), file);
      }
    }
    // The agent may tell of what it has missed by the name of the directory then, or now.
    for (PosixPath name : List.copyOf(unseenNames)) {
      PosixPath another = PosixPath.of(renaming.applied(Path.of(name.toString())));
      unseenNames.add(another);
      ModelFile shortLived = shortLives.get(name);
      if (shortLived != null) {
        shortLives.put(another, shortLived);
      }
    }
  }

  void link(Path name, Path another) throws IOException {
    Files.createLink(another, name);
    bind(another, at(name));
  }

  void delete(Path name) throws IOException {
    boolean held = isHeld(name);
    Files.delete(name);
    unbind(name, at(name), held);
  }

  /**
   * A file that is deleted after some milliseconds, whatever the agent has seen of it: it must be
   * delivered, or counted as missed.
   */
  void createAndDelete(Path name, byte[] content, int lifeMillis)
      throws IOException, InterruptedException {
    Files.write(name, content, StandardOpenOption.CREATE_NEW);
    ModelFile file = register(name);
    file.current().append(content);
    Thread.sleep(lifeMillis);
    Files.delete(name);
    if (agents.isAlive()) {
      unseenNames.add(PosixPath.of(name));
      shortLives.put(PosixPath.of(name), file);
    }
  }

  /** Out of the watched directories; only for files with one name. */
  void moveOut(Path name, Path to) throws IOException {
    ModelFile file = at(name);
    boolean held = isHeld(name);
    Files.move(name, to, StandardCopyOption.ATOMIC_MOVE);
    unbind(name, file, held);
    outside.put(to, file);
  }

  /** Into a watched directory, with all that it holds. */
  void moveIn(Path from, Path name) throws IOException {
    ModelFile file = outside.remove(from);
    if (file == null) {
      throw new IllegalArgumentException(from + " is not in the model");
    }
    Files.move(from, name, StandardCopyOption.ATOMIC_MOVE);
    file.movedIn();
    bind(name, file);
  }

  /** A file that no agent can see yet. */
  void createOutside(Path name, byte[] content) throws IOException {
    Files.write(name, content, StandardOpenOption.CREATE_NEW);
    ModelFile file = register(name);
    file.current().append(content);
    outside.put(name, file);
  }

  private void unbind(Path name, ModelFile file, boolean held) {
    byName.remove(name, file);
    file.names().remove(name);
    // Another name of the file says nothing of whether the agent has opened this one.
    if ((!held || file.isLive()) && agents.isAlive()) {
      unseenNames.add(PosixPath.of(name));
    }
    if (!file.isLive()) {
      file.lost(held);
    }
  }

  /** Whether the agent has the file open, so that losing its name does not lose its bytes. */
  private boolean isHeld(Path name) throws IOException {
    acknowledge(name);
    return !agents.closesFiles() && agents.status(name).flatMap(FileDelivery::stream).isPresent();
  }

  /** Takes the agent at its word. */
  void acknowledge(Path name) throws IOException {
    Optional<FileDelivery> status = agents.status(name);
    if (status.isEmpty() || status.get().stream().isEmpty()) {
      return;
    }
    ModelFile file = at(name);
    if (status.get().isDelivered()) {
      file.delivered();
    } else if (file.births().size() == 1) {
      file.current().durable(Math.toIntExact(status.get().durableBytes()));
    }
  }

  void acknowledgeAll() throws IOException {
    for (Path name : names()) {
      acknowledge(name);
    }
  }

  /**
   * Notes what a file holds now, if the agent says that all of it is delivered. Of an empty one
   * there are no bytes that the archive could give back.
   */
  void snapshot(Path name) throws IOException, InterruptedException {
    Optional<FileDelivery> status = agents.status(name);
    ModelFile file = at(name);
    if (status.isPresent()
        && status.get().isDelivered()
        && file.current().sizeBytes() > 0
        && !file.mayBeOutdated()) {
      long atMillis = System.currentTimeMillis();
      snapshots.add(
          new Snapshot(
              file, atMillis, status.get().stream().orElseThrow(), file.current().bytes()));
      while (System.currentTimeMillis() <= atMillis) {
        Thread.sleep(1); // What is sealed next is later.
      }
    }
  }

  List<Snapshot> snapshots() {
    return List.copyOf(snapshots);
  }

  /** The names that were gone when the agent that lives now had not opened their files yet. */
  Set<PosixPath> unseenNames() {
    return Set.copyOf(unseenNames);
  }

  void agentKilled() {
    shrinkages.clear();
    unseenNames.clear();
    shortLives.clear();
    files.forEach(ModelFile::agentKilled);
  }

  void stateLost() {
    files().forEach(file -> file.stateLost(agents.protection()));
  }

  /** The time of a file was set, and nothing else. */
  void timeSet(Path name) {
    at(name).timeSet();
  }

  /**
   * The agent has delivered everything that it had, and ended.
   *
   * @param missed the names of the files that it says it has missed
   */
  void drained(Set<PosixPath> missed) {
    Set<ModelFile> missedFiles = new HashSet<>();
    missed.stream().filter(shortLives::containsKey).map(shortLives::get).forEach(missedFiles::add);
    shortLives.values().removeAll(missedFiles);
    shortLives.values().forEach(file -> file.current().due(file.current().sizeBytes()));
    shortLives.clear();
    for (Shrinkage shrinkage : shrinkages) {
      accountedBytes.merge(shrinkage.stream(), shrinkage.seenBytes(), Math::max);
    }
    shrinkages.clear();
    unseenNames.clear();
    files.forEach(ModelFile::drained);
  }
}
