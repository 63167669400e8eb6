/** How far the time in a signed header may be from the receiver's clock. */
export const SIGNATURE_TOLERANCE_SECONDS = 300

/** Signatures that a receiver looks at in one `webhook-signature` header. */
export const SIGNATURES_PER_HEADER_MAX = 10
