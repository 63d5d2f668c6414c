export const MAX_ATTACHMENT_BYTES = 5 * 1024 * 1024
export const MAX_ATTACHMENTS = 10

/** Base64 has four characters for three bytes. */
export const MAX_CONTENT_LENGTH = Math.ceil(MAX_ATTACHMENT_BYTES / 3) * 4

/** The largest body of a request that sends one: the content, and as much as other fields may take. */
export const MAX_ATTACHMENT_BODY_BYTES = MAX_CONTENT_LENGTH + 64 * 1024
