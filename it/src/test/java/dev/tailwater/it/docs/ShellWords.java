package dev.tailwater.it.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The commands of a text for the shell, each as the words that the shell would pass on. It knows
 * quotes, comments, operators, redirections and here-documents; variables stay as they are written.
 */
final class ShellWords {
  private static final Pattern HERE_DOCUMENT = Pattern.compile("<<-?\\s*['\"]?(\\w+)['\"]?");
  private static final Pattern ASSIGNMENT = Pattern.compile("[A-Za-z_]\\w*=.*", Pattern.DOTALL);
  private static final String OPERATORS = "|&;()\n";

  private final List<List<String>> commands = new ArrayList<>();
  private List<String> command = new ArrayList<>();
  private final StringBuilder word = new StringBuilder();
  private boolean inWord;
  private boolean isTarget;

  private ShellWords() {}

  /** The commands with this name, without what stands before it, such as assignments. */
  static List<List<String>> commands(String shell, String name) {
    ShellWords words = new ShellWords();
    words.read(withoutHereDocuments(shell));
    return words.commands.stream()
        .filter(one -> one.contains(name))
        .filter(one -> one.subList(0, indexOf(name, one)).stream().allMatch(ShellWords::mayPrecede))
        .map(one -> one.subList(indexOf(name, one) + 1, one.size()))
        .toList();
  }

  /** Where the command is, which may also be the name of the user who runs it. */
  private static int indexOf(String name, List<String> command) {
    int index = command.indexOf(name);
    return index > 0 && command.get(index - 1).equals("-u") ? index + 1 : index;
  }

  /** A wrapper such as sudo with its options, an assignment, a keyword. */
  private static boolean mayPrecede(String word) {
    return ASSIGNMENT.matcher(word).matches()
        || List.of("sudo", "runuser", "exec", "if", "while", "until", "then", "do", "!", "--")
            .contains(word)
        || List.of("-u", "tailwater", "postgres").contains(word);
  }

  private static String withoutHereDocuments(String shell) {
    StringBuilder kept = new StringBuilder();
    String end = "";
    for (String line : shell.split("\n", -1)) {
      if (!end.isEmpty()) {
        end = line.strip().equals(end) ? "" : end;
        continue;
      }
      kept.append(line).append('\n');
      Matcher here = HERE_DOCUMENT.matcher(line);
      if (here.find()) {
        end = here.group(1);
      }
    }
    return kept.toString();
  }

  private void read(String shell) {
    for (int i = 0; i < shell.length(); i++) {
      char character = shell.charAt(i);
      if (character == '\'' || character == '"') {
        int end = shell.indexOf(character, i + 1);
        word.append(shell, i + 1, end);
        inWord = true;
        i = end;
      } else if (character == '\\' && i + 1 < shell.length()) {
        i++;
        if (shell.charAt(i) != '\n') {
          word.append(shell.charAt(i));
          inWord = true;
        }
      } else if (character == '#' && !inWord) {
        i = shell.indexOf('\n', i) - 1;
      } else if (character == '>' || character == '<') {
        if (inWord && word.chars().allMatch(Character::isDigit)) {
          word.setLength(0); // The number of a descriptor.
          inWord = false;
        }
        endWord();
        isTarget = true;
        while (i + 1 < shell.length() && "<>&".indexOf(shell.charAt(i + 1)) >= 0) {
          i++;
        }
        if (i + 1 < shell.length() && shell.charAt(i + 1) == '(') {
          isTarget = false; // A command whose output is read.
        }
      } else if (OPERATORS.indexOf(character) >= 0) {
        endCommand();
      } else if (Character.isWhitespace(character)) {
        endWord();
      } else {
        word.append(character);
        inWord = true;
      }
    }
    endCommand();
  }

  private void endWord() {
    if (inWord && !isTarget) {
      command.add(word.toString());
    }
    isTarget = isTarget && !inWord;
    word.setLength(0);
    inWord = false;
  }

  private void endCommand() {
    endWord();
    isTarget = false;
    if (!command.isEmpty()) {
      commands.add(command);
      command = new ArrayList<>();
    }
  }
}
