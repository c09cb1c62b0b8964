/**
 * Archives in Azure Blob Storage.
 *
 * <p>For an {@code az://account/container/prefix} URI, each call of {@link
 * dev.tailwater.destination.Destination} becomes one request of the <a
 * href="https://learn.microsoft.com/en-us/rest/api/storageservices/blob-service-rest-api">Blob
 * service's REST API</a>. The service loader finds {@link
 * dev.tailwater.destination.azure.AzureProvider}; nothing else calls it.
 */
@NullMarked
package dev.tailwater.destination.azure;

import org.jspecify.annotations.NullMarked;
