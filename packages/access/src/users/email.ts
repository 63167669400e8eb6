/** The one spelling of an address: trimmed, in lower case, accents composed (NFC), so that one address is one account. */
export const normaliseEmail = (email: string): string => email.trim().toLowerCase().normalize('NFC')

/**
 * Id of the account of a normalised address: a UUID (version 8) made of its SHA-256. One address is one key of the log,
 * so the log settles who signed up first. `sha256Hex` is passed in because domains are pure.
 */
export const userIdOf = (normalisedEmail: string, sha256Hex: (text: string) => string): string => {
  const hex = sha256Hex(`user:${normalisedEmail}`)
  const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) % 4)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
