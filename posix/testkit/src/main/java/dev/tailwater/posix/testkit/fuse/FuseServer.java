package dev.tailwater.posix.testkit.fuse;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.cryptomator.jfuse.api.Fuse;
import org.cryptomator.jfuse.api.FuseBuilder;
import org.cryptomator.jfuse.api.FuseMountFailedException;

/**
 * The process behind a {@link FuseFileSystem}. It mounts the file system, prints {@code ready}, and
 * answers each line of standard input with one line. When its input ends, because the client wants
 * it to end or has died, it unmounts, deletes its directory and ends.
 *
 * <p>It is a separate process because a JVM that waits for itself would hang: a thread in a native
 * read of the mount may delay the garbage collector, and the thread that should answer the read
 * waits for the collector.
 */
public final class FuseServer {
  /** The start of the answer if nothing was mounted; the reason follows. */
  static final String REFUSED = "refused: ";

  private final FuseWorkspace workspace;
  private final RequestLog log;
  private final PrintStream answers;

  private FuseServer(FuseWorkspace workspace, RequestLog log, PrintStream answers) {
    this.workspace = workspace;
    this.log = log;
    this.answers = answers;
  }

  /** Runs the server. The arguments are its directory, the path of libfuse3, and the options. */
  public static void main(String[] arguments) throws IOException {
    List<String> words = List.of(arguments);
    FuseWorkspace workspace = new FuseWorkspace(Path.of(words.get(0)));
    FuseOptions options = FuseOptions.fromArguments(words, 2);
    RequestLog log = new RequestLog(options);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> clean(workspace)));
    PrintStream answers = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    try {
      mount(workspace, words.get(1), options, log);
    } catch (FuseMountFailedException e) {
      System.err.println(e);
      answers.println(REFUSED + Files.readString(workspace.log()).replace('\n', ' ').strip());
      System.exit(1);
    }
    answers.println("ready");
    new FuseServer(workspace, log, answers).obey();
    log.releaseReads(); // the client that held them has ended
    System.exit(0);
  }

  @SuppressWarnings("resource") // closed by the end of the process, after the unmount
  private static void mount(
      FuseWorkspace workspace, String library, FuseOptions options, RequestLog log)
      throws FuseMountFailedException {
    FuseBuilder builder = Fuse.builder();
    builder.setLibraryPath(library);
    PassthroughOperations operations =
        new PassthroughOperations(workspace.files(), builder.errno(), options, log);
    Fuse fuse = builder.build(operations);
    LinkOperation.set(fuse, operations::link);
    fuse.mount("tailwater", workspace.mountPoint());
  }

  private static void clean(FuseWorkspace workspace) {
    try {
      boolean idle = workspace.unmount();
      workspace.delete();
      if (!idle) {
        System.err.println("unmounted while busy");
      }
    } catch (IOException e) {
      System.err.println("cannot clean up: " + e);
    }
  }

  private void obey() throws IOException {
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      String[] words = line.split(" ", 2);
      switch (words[0]) {
        case "counts" -> answers.println(log.counts().toLine());
        case "reset" -> {
          log.reset();
          answers.println("ok");
        }
        case "delay-read" -> {
          log.delayReads(Long.parseLong(words[1]));
          answers.println("ok");
        }
        case "hold-read" -> {
          log.holdReads();
          answers.println("ok");
        }
        case "release-read" -> {
          log.releaseReads();
          answers.println("ok");
        }
        case "delay-write" -> {
          log.delayWrites(Long.parseLong(words[1]));
          answers.println("ok");
        }
        case "requests" -> answers.println("requests " + log.requestsText());
        case "fault" -> {
          String[] fault = words[1].split(" ", -1);
          log.faults()
              .plan(
                  FuseRequest.valueOf(fault[0]),
                  new RequestFaults.Planned(
                      Integer.parseInt(fault[1]),
                      Boolean.parseBoolean(fault[2]),
                      Long.parseLong(fault[3])));
          answers.println("ok");
        }
        case "heal" -> {
          log.faults().heal();
          answers.println("ok");
        }
        case "quit" -> {
          answers.println(workspace.unmount() ? "unmounted" : "busy");
          return;
        }
        default -> answers.println("unknown command " + line);
      }
    }
  }
}
