import { createHash } from 'node:crypto'
import { merchants } from '@switchyard/access'
import { accountIdOf, type ConnectorAccount, connectorAccounts } from '@switchyard/costs'
import type { MerchantCipher } from '@switchyard/runtime'
import type { Parts } from '../parts.ts'

const sha256Hex = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The account of a connector, while the registration of its merchant is the one that stored it; undefined when nobody has it. */
export const findAccount = async (
  { states }: Pick<Parts, 'states'>,
  connector: string,
  account: string,
): Promise<ConnectorAccount | undefined> => {
  const accountId = accountIdOf(connector, account, sha256Hex)
  await states.readIndex(accountId)
  const { stored } = states.stateOf(connectorAccounts, accountId)
  if (stored === null) return undefined
  // The merchant stands in a partition of its own, which may have been read less far.
  await states.readIndex(stored.merchantId)
  return isCurrent({ states }, stored) ? stored : undefined
}

/** Whether an account is that of a merchant that is there. */
export const isCurrent = ({ states }: Pick<Parts, 'states'>, { merchantId, merchantRegistrationCount }: ConnectorAccount): boolean => {
  const { registered, registrationCount } = states.stateOf(merchants, merchantId)
  return registered && registrationCount === merchantRegistrationCount
}

/** A secret in clear; undefined when the merchant's key was destroyed. */
export const openSecret = async (
  cipher: Pick<MerchantCipher, 'open'>,
  { merchantId }: ConnectorAccount,
  { secret }: ConnectorAccount['webhookSecret'],
): Promise<string | undefined> => {
  const opened = await cipher.open(merchantId, Buffer.from(secret, 'base64'))
  return opened === undefined ? undefined : Buffer.from(opened).toString()
}

/**
 * The id of an ingestion that a connector told a merchant of: the same for the same report, so that telling it again changes nothing (a
 * UUID of version 8, made of what it names). Whoever signs notices chooses what they name a report by: without the merchant in it, two
 * of them would have one file in the spool.
 */
export const noticedIngestionId = (
  {
    merchantId,
    merchantRegistrationCount: life,
    connector,
  }: Pick<ConnectorAccount, 'merchantId' | 'merchantRegistrationCount' | 'connector'>,
  notificationId: string,
): string => {
  const digest = createHash('sha256')
    .update(JSON.stringify([merchantId, life, connector, notificationId]))
    .digest()
    .subarray(0, 16)
  digest[6] = ((digest[6] ?? 0) & 0x0f) | 0x80
  digest[8] = ((digest[8] ?? 0) & 0x3f) | 0x80
  const hex = digest.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
