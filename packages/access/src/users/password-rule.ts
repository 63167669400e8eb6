const LENGTH_MIN = 10
const REQUIRED: readonly RegExp[] = [/[A-Z]/, /[a-z]/, /[0-9]/, /[^A-Za-z0-9]/]

/**
 * Whether a new password is strong enough (platform.md 4): at least 10 Unicode characters, with an ASCII upper-case and
 * lower-case letter, an ASCII digit, and one character that is neither ASCII letter nor digit.
 */
export const isStrongPassword = (password: string): boolean =>
  Array.from(password).length >= LENGTH_MIN && REQUIRED.every((pattern) => pattern.test(password))
