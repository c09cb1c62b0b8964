package dev.tailwater.destination.azure;

import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.cloud.http.ErrorAnswer;
import dev.tailwater.destination.cloud.http.HttpFailure;
import dev.tailwater.destination.cloud.http.HttpFailures;
import java.net.URI;
import java.util.Locale;
import java.util.Set;

/**
 * The translation of errors of Azure Blob Storage, by its <a
 * href="https://learn.microsoft.com/en-us/rest/api/storageservices/blob-service-error-codes">error
 * codes</a>.
 */
final class AzureFailures extends HttpFailures {
  private static final String ARCHIVED = "BlobArchived";
  private static final Set<String> EXISTING =
      Set.of("BlobAlreadyExists", "ConditionNotMet", ARCHIVED);

  /** Error codes with a 4xx status that are transient. */
  private static final Set<String> PASSING =
      Set.of(
          // Somebody created the object meanwhile, or the service removed the blocks.
          "InvalidBlockList", "OperationTimedOut", "ContainerBeingDeleted");

  private static final Set<String> NO_SUCH_OBJECT = Set.of("BlobNotFound", "ResourceNotFound", "");

  private static final String GUIDE = "; docs/guide/azure.md has the roles.";

  /**
   * @param uri the destination, for messages
   */
  AzureFailures(URI uri) {
    super(uri);
  }

  /** Returns whether the answer to a put means that the object exists. */
  static boolean isExisting(HttpFailure e) {
    return (e.hasStatus(409) || e.hasStatus(412))
        && e.answer().filter(answer -> EXISTING.contains(answer.code())).isPresent();
  }

  /** Returns whether the answer means that the object is in the archive tier. */
  static boolean isArchived(HttpFailure e) {
    return e.answer().filter(answer -> answer.code().equals(ARCHIVED)).isPresent();
  }

  /** Returns whether the answer means that the object does not exist, but its container does. */
  static boolean isNoSuchObject(HttpFailure e) {
    return e.hasStatus(404)
        && e.answer()
            .filter(answer -> NO_SUCH_OBJECT.contains(answer.code()) && !hasNoMark(answer))
            .isPresent();
  }

  private static boolean hasNoMark(ErrorAnswer answer) {
    return answer.code().isEmpty() && answer.requestId().isEmpty();
  }

  @Override
  protected boolean isStrangers(ErrorAnswer answer) {
    return answer.status() == 404 && hasNoMark(answer);
  }

  @Override
  protected boolean isPermanent(ErrorAnswer answer) {
    return super.isPermanent(answer) && !PASSING.contains(answer.code()) && !isDamaged(answer);
  }

  @Override
  protected boolean isRefusal(ErrorAnswer answer) {
    return switch (answer.code()) {
      case "AuthorizationPermissionMismatch",
          "InsufficientAccountPermissions",
          "BlobImmutableDueToPolicy",
          "BlobImmutableDueToLegalHold" ->
          true;
      // A proxy's refusal, or one of a HEAD, has no code; others are about the credentials.
      default -> answer.code().isEmpty() && super.isRefusal(answer);
    };
  }

  @Override
  protected boolean isCold(ErrorAnswer answer) {
    return answer.code().equals(ARCHIVED) || answer.code().equals("BlobBeingRehydrated");
  }

  /** The emulator has another code for it. */
  private static boolean isDamaged(ErrorAnswer answer) {
    return answer.code().equals("Md5Mismatch")
        || (answer.status() == 400 && answer.message().toLowerCase(Locale.ROOT).contains("md5"));
  }

  @Override
  protected String hint(String operation, ErrorAnswer answer) {
    if (isDamaged(answer)) {
      return "The bytes were damaged on their way and refused.";
    }
    return switch (answer.code()) {
      case "AuthenticationFailed", "InvalidAuthenticationInfo" ->
          "The key or token is not valid: check AZURE_STORAGE_KEY or the identity, and this"
              + " machine's clock (timedatectl).";
      case "KeyBasedAuthenticationNotPermitted" ->
          "The account takes no keys: unset AZURE_STORAGE_KEY and use an identity.";
      case "AuthorizationFailure" ->
          "AZURE_STORAGE_KEY is wrong, or the account's network rules refuse this machine: check the"
              + " key and the account's firewall.";
      case "AuthorizationPermissionMismatch", "InsufficientAccountPermissions" ->
          "Allow " + role(operation) + GUIDE;
      case "AccountIsDisabled" -> "The account is disabled: check it and its subscription.";
      case "ContainerNotFound", "ContainerDisabled" ->
          "Create the container, or correct its name or the endpoint.";
      case "BlobImmutableDueToPolicy", "BlobImmutableDueToLegalHold" ->
          "The container's immutability policy keeps the object; merge_to: off leaves it in peace.";
      case ARCHIVED, "BlobBeingRehydrated" ->
          "The object is in the archive tier: rehydrate it first (az storage blob set-tier);"
              + " docs/guide/azure.md says more.";
      case "RequestBodyTooLarge" ->
          "The server takes only smaller objects: lower --segment-size or merge_to.";
      default -> byStatus(operation, answer);
    };
  }

  private static String byStatus(String operation, ErrorAnswer answer) {
    String code = answer.code();
    return switch (answer.status()) {
      case 400 ->
          code.contains("Tier")
              ? "Correct access-tier in the URI."
              : code.contains("Encryption") || code.contains("Scope")
                  ? "Correct encryption-scope in the URI."
                  : "Check the options in the URI.";
      case 401, 403 -> "Check the credentials, and allow " + role(operation) + GUIDE;
      case 404 -> "Check the names of account and container, and the endpoint.";
      case 409 ->
          code.contains("Encryption")
              ? "Correct encryption-scope in the URI."
              : "Look the code up in the service's list of error codes.";
      case 429, 503 -> "The server asks to slow down.";
      case 507 -> "The server is full: free space there; nothing is lost meanwhile.";
      default ->
          answer.status() >= 500 || answer.status() == 408
              ? DestinationException.MAY_PASS
              : "Look the code up in the service's list of error codes.";
    };
  }

  /** Returns what a role must allow for the operation. */
  private static String role(String operation) {
    String blobs = "Microsoft.Storage/storageAccounts/blobServices/containers/blobs/";
    return switch (operation) {
      case "put", "upload" -> blobs + "add/action and " + blobs + "write on the container";
      case "read", "list" -> blobs + "read on the container";
      case "delete" -> blobs + "delete on the container";
      default -> "the role Storage Blob Data Contributor on the container";
    };
  }
}
