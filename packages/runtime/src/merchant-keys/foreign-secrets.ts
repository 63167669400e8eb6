import { OperatingError } from '@switchyard/kernel'
import { KEYS_LOOKED_AT_MAX } from '../limits.ts'
import type { KeyOwner } from './key-vault.ts'
import { type MerchantCipherDependencies, recogniserOf } from './merchant-cipher.ts'

const foreign = (count: number, place: string): OperatingError =>
  new OperatingError(
    'SETTING_INVALID',
    `SWITCHYARD_DATA_KEY_SECRET: neither it nor one of SWITCHYARD_DATA_KEY_SECRETS_OLD unwraps any key of a merchant in ${place} (${count} looked at); ` +
      'set the one that they were wrapped by, or name it among the old ones. If it is lost, so is what they encrypt: move them away to start without them',
    { retryable: false },
  )

/** Merchants that were ever registered. */
function* ownersOf(merchantIds: Iterable<string>, lifeOf: MerchantCipherDependencies['lifeOf']): Generator<KeyOwner> {
  for (const merchantId of merchantIds) {
    const life = lifeOf(merchantId)
    if (life > 0) yield { merchantId, life }
  }
}

/**
 * What is wrong with secrets that unwrap none of the keys that are kept: a process with them would fail at each merchant, or wrap new keys by a
 * secret that was set by mistake. Undefined when no key is kept, or one is unwrapped: the secret of the others may be lost for good.
 */
export const findForeignSecrets = async (
  { vault, secrets, lifeOf }: MerchantCipherDependencies,
  merchantIds: Iterable<string>,
): Promise<OperatingError | undefined> => {
  const isOurs = recogniserOf(secrets)
  let count = 0
  for await (const page of vault.pages(ownersOf(merchantIds, lifeOf))) {
    if (page.some(isOurs)) return undefined
    count += page.length
    if (count >= KEYS_LOOKED_AT_MAX) break
  }
  return count === 0 ? undefined : foreign(count, vault.place)
}
