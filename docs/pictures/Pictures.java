import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Draws the pictures of the documentation from what is recorded or written beside this file:
 *
 * <pre>
 * java docs/pictures/Pictures.java             # draws them all
 * java docs/pictures/Pictures.java DIRECTORY   # the same, elsewhere: a test compares them
 * java docs/pictures/Pictures.java --record demo status drain    # runs the program first, for two minutes
 * </pre>
 *
 * <p>The same recordings give the same pictures. Each can be read in light and in dark.
 */
final class Pictures {
  static final Path HOME = Path.of("docs/pictures");
  static final Path RECORDINGS = HOME.resolve("recordings");

  private Pictures() {}

  public static void main(String[] arguments) throws Exception {
    List<String> given = List.of(arguments);
    boolean isRecording = given.contains("--record");
    if (isRecording) {
      for (String name : given.subList(1, given.size())) {
        switch (name) {
          case "demo" -> DemoPicture.record();
          case "status" -> StatusPicture.record();
          case "drain" -> DrainPicture.record();
          default -> throw new IllegalArgumentException("demo, status or drain, not " + name);
        }
      }
    }
    Path target = given.isEmpty() || isRecording ? HOME : Path.of(given.getFirst());
    write(target.resolve("demo.svg"), DemoPicture.draw());
    write(target.resolve("status.svg"), StatusPicture.draw());
    write(target.resolve("drain.svg"), DrainPicture.draw());
    write(target.resolve("way-of-a-byte.svg"), WayPicture.draw());
    write(target.resolve("lab.svg"), LabPicture.draw());
  }

  private static void write(Path file, String svg) throws IOException {
    Files.writeString(file, svg);
    System.out.println(file);
  }
}
