/** Shown for a secret that is not there or can't be read. */
const NO_HINT = '—'
const MASK = '••••'
const SHOWN_LENGTH = 4

/** What people recognise a secret by (cost.md 3.1). */
export const secretHintOf = (secret: string): string => {
  if (secret === '') return NO_HINT
  return secret.length <= SHOWN_LENGTH ? MASK : `${MASK}${secret.slice(-SHOWN_LENGTH)}`
}

/** The same of what fetches reports: of a user and a password the user is shown. A document shows nothing of its own. */
export const downloadHintOf = (secret: string): string => {
  if (secret.trimStart().startsWith('{')) return MASK
  const [user] = secret.split(':', 1)
  return secret.includes(':') ? `${user}:${MASK}` : secretHintOf(secret)
}
