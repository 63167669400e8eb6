/** Longest id of a merchant, payment, key, algorithm or request, in characters. */
export const ID_LENGTH_MAX = 64

/** Longest name or e-mail address, in characters. */
export const NAME_LENGTH_MAX = 255
