import { merchants } from '@switchyard/access'
import type { OperatingError } from '@switchyard/kernel'
import { findForeignSecrets, type MerchantCipherDependencies } from '@switchyard/runtime'
import type { Configuration } from './configuration.ts'

type Keys = Pick<MerchantCipherDependencies, 'vault' | 'secrets'>

/** {@link findForeignSecrets} among the merchants of a configuration that has started. */
export const findForeignDataSecrets = async (
  { states }: Pick<Configuration, 'states'>,
  keys: Keys,
): Promise<OperatingError | undefined> => {
  // What is left of a closed merchant's key is about to go away, and may be overwritten already.
  const lifeOf = (merchantId: string): number => {
    const { registered, registrationCount } = states.stateOf(merchants, merchantId)
    return registered ? registrationCount : 0
  }
  return await findForeignSecrets({ ...keys, lifeOf }, states.knownKeys())
}

/** Throws `SETTING_INVALID` when keys of merchants are kept and these secrets unwrap none of them. */
export const assertOwnDataSecrets = async (configuration: Pick<Configuration, 'states'>, keys: Keys): Promise<void> => {
  const foreign = await findForeignDataSecrets(configuration, keys)
  if (foreign !== undefined) throw foreign
}
