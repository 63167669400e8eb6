import { hasControlCharacter, isUpTo } from '@switchyard/kernel'
import { ACCOUNT_LENGTH_MAX } from '../limits.ts'

/** The account of a connector that a text names, blanks at its ends aside; undefined for what can't be one. */
export const accountNamed = (text: string): string | undefined => {
  const account = text.trim()
  return account !== '' && isUpTo(account, ACCOUNT_LENGTH_MAX) && !hasControlCharacter(account) ? account : undefined
}
