import { createHash } from 'node:crypto'
import { repeatedMember } from '@switchyard/http'
import { OperatingError } from '@switchyard/kernel'
import { type DebitNetwork, debitNetworkOf, type NetworkFee, type NetworkFeeTable } from '@switchyard/routing'
import * as z from 'zod'
import { CATEGORY_COUNT_MAX, CONNECTOR_COUNT_MAX, NETWORK_FEES_BYTES_MAX, TEXT_LENGTH_MAX } from '../limits.ts'

/** Characters of the checksum that name a table. */
const VERSION_LENGTH = 12

const fee = z
  .strictObject({ percentage: z.number().nonnegative(), fixed_amount: z.number().nonnegative() })
  .transform(({ percentage, fixed_amount }): NetworkFee => ({ percent: percentage, fixed: fixed_amount }))

const UNKNOWN_NETWORK = 'is no network that is known'
const REPEATED = 'stands there twice'
const networkName = z.string().refine((name) => debitNetworkOf(name) !== undefined, UNKNOWN_NETWORK)
const label = z.string().min(1).max(TEXT_LENGTH_MAX)

/** A map by what its names stand for; two spellings of one thing are a mistake. */
const mapBy =
  <Key>(keyOf: (name: string) => Key | undefined) =>
  <Value>(members: Readonly<Record<string, Value>>, context: z.core.$RefinementCtx): ReadonlyMap<Key, Value> => {
    const map = new Map<Key, Value>()
    for (const [name, member] of Object.entries(members)) {
      const key = keyOf(name)
      if (key === undefined) context.addIssue({ code: 'custom', path: [name], message: UNKNOWN_NETWORK })
      else if (map.has(key)) context.addIssue({ code: 'custom', path: [name], message: REPEATED })
      else map.set(key, member)
    }
    return map
  }

const byNetwork = <Value>(value: z.ZodType<Value>) => z.record(z.string(), value).transform(mapBy(debitNetworkOf))

const atMost = <Members extends object>(countMax: number) =>
  [(members: Members): boolean => Object.keys(members).length <= countMax, `must have at most ${countMax} members`] as const

const supported = z
  .array(networkName)
  .transform((names): ReadonlySet<DebitNetwork> => new Set(names.map(debitNetworkOf).filter((network) => network !== undefined)))

const byConnector = z
  .record(label, supported)
  .refine(...atMost(CONNECTOR_COUNT_MAX))
  .transform(mapBy((name) => name.toLowerCase()))

const schema = z
  .strictObject({
    fraud_check_fee: z.number().nonnegative(),
    network_fee: byNetwork(fee),
    interchange_fee: z.strictObject({
      regulated: fee,
      non_regulated: z.record(label, byNetwork(fee)).refine(...atMost(CATEGORY_COUNT_MAX)),
    }),
    default_category: label,
    cross_border_savings: z.boolean().default(true),
    connector_networks: byConnector.prefault({}),
  })
  .refine(({ default_category, interchange_fee }) => Object.hasOwn(interchange_fee.non_regulated, default_category), {
    path: ['default_category'],
    message: 'must be a category of interchange_fee.non_regulated',
  })

const invalid = (detail: string, cause?: unknown): OperatingError =>
  new OperatingError('SETTING_INVALID', `SWITCHYARD_NETWORK_FEES_FILE: the table of network fees is not valid: ${detail}`, {
    retryable: false,
    cause,
  })

const parsedOf = (text: string): unknown => {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw invalid(error instanceof Error ? error.message : 'it is no JSON', error)
  }
}

/** Of a member that is given twice the last one would count, and nobody would know. */
const documentOf = (text: string): unknown => {
  const document = parsedOf(text)
  const repeated = repeatedMember(text, document)
  if (repeated !== undefined) throw invalid(`${repeated}: ${REPEATED}`)
  return document
}

/**
 * Reads the fees of the networks from their JSON (network.md 5, config shape). Throws `SETTING_INVALID` that names the
 * member and what is wrong with it.
 */
export const parseNetworkFees = (text: string): NetworkFeeTable => {
  if (Buffer.byteLength(text) > NETWORK_FEES_BYTES_MAX) throw invalid(`it is larger than ${NETWORK_FEES_BYTES_MAX} bytes`)
  const parsed = schema.safeParse(documentOf(text))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw invalid(`${issue?.path.join('.') || 'document'}: ${issue?.message}`)
  }
  const { data } = parsed
  return {
    version: createHash('sha256').update(text).digest('hex').slice(0, VERSION_LENGTH),
    fraudCheckFee: data.fraud_check_fee,
    networkFees: data.network_fee,
    interchangeRegulated: data.interchange_fee.regulated,
    interchangeByCategory: new Map(Object.entries(data.interchange_fee.non_regulated)),
    defaultCategory: data.default_category,
    crossBorderSavings: data.cross_border_savings,
    connectorNetworks: data.connector_networks,
  }
}
