import { type ClusterClass, type ClusterFilter, clusterKeyText, type Fee, type Tier } from '@switchyard/costs'
import * as z from 'zod'
import type { ShownCluster } from '../operations.ts'

const text = z.string()
const numberOrNull = z.number().nullable()
const count = z.int().min(0)

const segmentAnswer = z.object({
  seg_idx: count,
  lo: z.number(),
  hi: z.number(),
  pct_bps: numberOrNull,
  fixed: numberOrNull,
  bps_rmse: numberOrNull,
  n: count,
  gross_sum: z.number(),
  verdict: text,
})

/** A record of the cluster list (cost.md 10.4). */
export const clusterAnswer: z.ZodType = z.object({
  key: text,
  connector: text,
  card_network: text,
  variant: text,
  funding: text,
  issuer_country: text,
  currency: text,
  ic_category: text,
  n: count,
  gross_sum: z.number(),
  model_pct_bps: numberOrNull,
  model_fixed: numberOrNull,
  override_pct_bps: numberOrNull,
  override_fixed: numberOrNull,
  override_updated_at: z.string().nullable(),
  effective_pct_bps: numberOrNull,
  effective_fixed: numberOrNull,
  source: z.enum(['override', 'model', 'none']),
  verdict: z.enum(['GOOD', 'THIN', 'NON_LINEAR', '']),
  card_product: text,
  segments: z.array(segmentAnswer),
})

/** A value that clusters can be filtered by. */
export const facetAnswer: z.ZodType = z.object({ dim: text, value: text, txns: count })

const pct = (fee: Fee | null): number | null => fee?.pctBps ?? null
const fixed = (fee: Fee | null): number | null => fee?.fixed ?? null

const printTier = ({ index, from, to, fee, errorBps, n, gross, verdict }: Tier): object => ({
  seg_idx: index,
  lo: from,
  hi: to,
  pct_bps: pct(fee),
  fixed: fixed(fee),
  bps_rmse: errorBps,
  n,
  gross_sum: gross,
  verdict,
})

/** One cluster as it is shown. */
export const printCluster = ({ cluster, overriddenAt }: ShownCluster): object => {
  const { key, n, gross, learned, override, effective, source, verdict, cardProduct, tiers } = cluster
  return {
    key: clusterKeyText(key),
    connector: key.connector,
    card_network: key.cardNetwork,
    variant: key.variant,
    funding: key.funding,
    issuer_country: key.issuerCountry,
    currency: key.currency,
    ic_category: key.interchangeCategory,
    n,
    gross_sum: gross,
    model_pct_bps: pct(learned),
    model_fixed: fixed(learned),
    override_pct_bps: pct(override),
    override_fixed: fixed(override),
    override_updated_at: overriddenAt === null ? null : new Date(overriddenAt).toISOString(),
    effective_pct_bps: pct(effective),
    effective_fixed: fixed(effective),
    source,
    verdict: verdict ?? '',
    card_product: cardProduct,
    segments: tiers.map(printTier),
  }
}

/** Names of the columns on the wire. */
const COLUMNS = {
  card_network: 'cardNetwork',
  variant: 'variant',
  funding: 'funding',
  issuer_country: 'issuerCountry',
  currency: 'currency',
  ic_category: 'interchangeCategory',
} as const

const WIRE_COLUMNS: ReadonlyMap<string, string> = new Map(Object.entries(COLUMNS).map(([wire, column]) => [column, wire]))

const CLASS_NAMES: Readonly<Record<ClusterClass, string>> = { GOOD: 'Good', TIERED: 'Tiered', THIN: 'Thin', NON_LINEAR: 'Poor fit' }

const CLASSES: ReadonlyMap<string, ClusterClass> = new Map([
  ['good', 'GOOD'],
  ['tiered', 'TIERED'],
  ['thin', 'THIN'],
  ['poorfit', 'NON_LINEAR'],
  ['nonlinear', 'NON_LINEAR'],
])

const isClass = (value: string): value is ClusterClass => Object.hasOwn(CLASS_NAMES, value)

/** A column or class of a facet, as the wire names it. */
export const printFacet = ({
  column,
  value,
  txns,
}: {
  readonly column: string
  readonly value: string
  readonly txns: number
}): object => ({
  dim: WIRE_COLUMNS.get(column) ?? column,
  value: column === 'verdict' && isClass(value) ? CLASS_NAMES[value] : value,
  txns,
})

/** Query parameters of the filter, for the description. */
export const filterQuery: Readonly<Record<string, z.ZodType>> = {
  ...Object.fromEntries(Object.keys(COLUMNS).map((name) => [name, text])),
  verdict: text,
  q: text,
}

const namesOf = (query: URLSearchParams, name: string): readonly string[] => query.getAll(name).filter((value) => value.trim() !== '')

/** What a query asks for; undefined when it names a class that there is none of, so that nothing matches. */
export const parseFilter = (query: URLSearchParams): ClusterFilter | undefined => {
  const asked = namesOf(query, 'verdict')
  const verdicts = asked.flatMap((name) => CLASSES.get(name.toLowerCase().replace(/[\s_-]/g, '')) ?? [])
  if (asked.length > 0 && verdicts.length === 0) return undefined
  const columns = Object.fromEntries(Object.entries(COLUMNS).map(([wire, column]) => [column, namesOf(query, wire)]))
  return { columns, verdicts, text: query.get('q') ?? '' }
}
