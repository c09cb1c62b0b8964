package dev.tailwater.destination.gcs;

import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.cloud.http.ErrorAnswer;
import dev.tailwater.destination.cloud.http.HttpFailure;
import dev.tailwater.destination.cloud.http.HttpFailures;
import java.net.URI;
import java.util.Locale;
import java.util.Set;

/**
 * The translation of errors of Google Cloud Storage. The codes are the reasons in the <a
 * href="https://cloud.google.com/storage/docs/json_api/v1/status-codes">error responses</a>.
 */
final class GcsFailures extends HttpFailures {
  private static final Set<String> SLOW_DOWN =
      Set.of("rateLimitExceeded", "userRateLimitExceeded", "quotaExceeded");

  /** An upload session that the service has forgotten; the next attempt begins another one. */
  private static final int GONE = 410;

  private static final String GUIDE = "; docs/guide/gcs.md has the roles.";

  /**
   * @param uri the destination, for messages
   */
  GcsFailures(URI uri) {
    super(uri);
  }

  /** Returns whether the answer means that the object does not exist, but its bucket does. */
  static boolean isNoSuchObject(HttpFailure e) {
    return e.hasStatus(404)
        && e.answer().filter(answer -> namesTheBucket(answer) || hasNoMark(answer)).isEmpty();
  }

  /** The service says in text, with an id, that there is nothing to download; emulators without. */
  private static boolean hasNoMark(ErrorAnswer answer) {
    return answer.code().isEmpty()
        && answer.requestId().isEmpty()
        && answer.message().startsWith("<");
  }

  @Override
  protected boolean isStrangers(ErrorAnswer answer) {
    return answer.status() == 404 && hasNoMark(answer);
  }

  private static boolean namesTheBucket(ErrorAnswer answer) {
    String message = answer.message().toLowerCase(Locale.ROOT);
    return message.contains("bucket does not exist") || message.contains("unknown bucket");
  }

  @Override
  protected boolean asksToSlowDown(HttpFailure e) {
    return super.asksToSlowDown(e)
        || e.answer().filter(answer -> SLOW_DOWN.contains(answer.code())).isPresent();
  }

  @Override
  protected boolean isPermanent(ErrorAnswer answer) {
    return super.isPermanent(answer)
        && answer.status() != GONE
        && !SLOW_DOWN.contains(answer.code())
        && !isDamaged(answer);
  }

  @Override
  protected boolean isRefusal(ErrorAnswer answer) {
    return super.isRefusal(answer)
        && !answer.code().startsWith("account")
        && !answer.code().startsWith("billing")
        && !answer.message().toLowerCase(Locale.ROOT).matches(".*(kms|cryptokey).*");
  }

  private static boolean isDamaged(ErrorAnswer answer) {
    return answer.status() == 400
        && answer.message().toLowerCase(Locale.ROOT).matches(".*(crc32c|md5|checksum|hash).*");
  }

  @Override
  protected String hint(String operation, ErrorAnswer answer) {
    if (isDamaged(answer)) {
      return "The bytes were damaged on their way and refused.";
    }
    return switch (answer.code()) {
      case "accountDisabled", "accountDisabledInBillingState", "billingNotEnabled" ->
          "The project cannot be used: check it and its billing account.";
      case "retentionPolicyNotMet", "objectUnderActiveHold" ->
          "The bucket's retention policy keeps the object; nothing is to be done until it ends.";
      case "userProjectMissing", "required" ->
          answer.message().contains("requester pays")
              ? "The requester pays for this bucket: add ?user-project=ID to the URI."
              : byStatus(operation, answer);
      case "invalidStorageClass" -> "Correct storage-class in the URI.";
      default -> byStatus(operation, answer);
    };
  }

  private static String byStatus(String operation, ErrorAnswer answer) {
    String said = answer.message().toLowerCase(Locale.ROOT);
    return switch (answer.status()) {
      case 400 ->
          said.contains("requester pays")
              ? "The requester pays for this bucket: add ?user-project=ID to the URI."
              : said.contains("kms") || said.contains("cryptokey")
                  ? "Check kms-key in the URI."
                  : "Check the options in the URI.";
      case 401 ->
          "The credentials are not valid, or no longer: check GOOGLE_APPLICATION_CREDENTIALS or"
              + " the instance's service account, and this machine's clock.";
      case 403 ->
          said.contains("kms") || said.contains("cryptokey")
              ? "Let the bucket's service agent use the key: roles/cloudkms.cryptoKeyEncrypterDecrypter."
              : "Allow " + permission(operation) + GUIDE;
      case 404 -> "Create the bucket, or correct its name or the endpoint.";
      case 413 -> "The server takes only smaller objects: lower --segment-size or merge_to.";
      case 429, 503 -> "The server asks to slow down.";
      case 507 -> "The server is full: free space there; nothing is lost meanwhile.";
      default ->
          answer.status() >= 500 || answer.status() == 408 || answer.status() == GONE
              ? DestinationException.MAY_PASS
              : "Look the code up in the service's list of error responses.";
    };
  }

  /** Returns what a role must allow for the operation. */
  private static String permission(String operation) {
    return switch (operation) {
      case "put" ->
          "storage.objects.create on the bucket, and storage.objects.delete for replacing small"
              + " records";
      case "upload" -> "storage.objects.create on the bucket";
      case "read" ->
          "storage.objects.get on the bucket, and storage.objects.list, without which the service"
              + " answers so for what is not there";
      case "list" -> "storage.objects.list on the bucket";
      case "delete" -> "storage.objects.delete on the bucket";
      default -> "storage.objects.create, get, list and delete on the bucket";
    };
  }
}
