import type { ConnectorReference } from './algorithm.ts'
import { countryCodeOf } from './countries.ts'
import type { Evaluation } from './evaluation.ts'
import type { Parameters } from './parameters.ts'

/** What a connector takes of a payment method type; null where it takes everything. */
interface EligibilityRule {
  /** ISO 3166 alpha-2 codes in upper case. */
  readonly countries: ReadonlySet<string> | null
  /** ISO 4217 codes in upper case. */
  readonly currencies: ReadonlySet<string> | null
  readonly excludedCaptureMethod: string | null
}

/** A rule and what it is about; the connector `default` stands for those that have no rule for the method. */
export interface EligibilityEntry extends EligibilityRule {
  readonly connector: string
  readonly paymentMethodType: string
}

/** Which connectors take which payments: data of the deployment, the same for all merchants (rules.md 8). */
export interface EligibilityTable {
  /** The connector's own rule, else the default one; undefined when there is neither. */
  readonly ruleFor: (connector: string, paymentMethodType: string) => EligibilityRule | undefined
}

const DEFAULT_CONNECTOR = 'default'

const normal = (name: string): string => name.trim().toLowerCase()

/** By the name as it is, which is nearly always normal, else by its normal form. */
const found = <Value>(values: ReadonlyMap<string, Value>, name: string): Value | undefined => values.get(name) ?? values.get(normal(name))

/** The table of these entries; of several for the same connector and method the last one counts. */
export const createEligibilityTable = (entries: readonly EligibilityEntry[]): EligibilityTable => {
  const byMethod = new Map<string, Map<string, EligibilityRule>>()
  for (const { connector, paymentMethodType, ...entry } of entries) {
    const excludedCaptureMethod = entry.excludedCaptureMethod === null ? null : normal(entry.excludedCaptureMethod)
    const rule = { ...entry, excludedCaptureMethod }
    const ofMethod = byMethod.get(normal(paymentMethodType)) ?? new Map<string, EligibilityRule>()
    byMethod.set(normal(paymentMethodType), ofMethod.set(normal(connector), rule))
  }
  return {
    ruleFor: (connector, paymentMethodType) => {
      const ofMethod = found(byMethod, paymentMethodType)
      return ofMethod && (found(ofMethod, connector) ?? ofMethod.get(DEFAULT_CONNECTOR))
    },
  }
}

const wordOf = (parameters: Parameters, key: string): string | undefined => {
  const parameter = parameters.get(key)
  return parameter?.type === 'enumVariant' || parameter?.type === 'text' ? parameter.value : undefined
}

/** The country of a parameter: a name of the vocabulary, or two letters; unknown names tell nothing. */
const countryIn = (parameters: Parameters): string | undefined => {
  const country = wordOf(parameters, 'billing_country')?.trim()
  if (country === undefined) return undefined
  return /^[A-Za-z]{2}$/.test(country) ? country.toUpperCase() : countryCodeOf(country)
}

const mayHave = (allowed: ReadonlySet<string> | null, value: string | undefined): boolean =>
  allowed === null || value === undefined || allowed.has(value)

/**
 * Tells whether a connector takes a payment with these parameters. What is not known of the payment excludes nobody, and a
 * payment without a method type is taken by all.
 */
const createEligibilityFilter = (table: EligibilityTable, parameters: Parameters): ((connector: ConnectorReference) => boolean) => {
  const method = wordOf(parameters, 'payment_method_type')?.trim() ?? ''
  if (method === '') return () => true
  const country = countryIn(parameters)
  const currency = wordOf(parameters, 'currency')?.toUpperCase()
  const captureMethod = normal(wordOf(parameters, 'capture_method') ?? '')
  return ({ gatewayName }) => {
    const rule = table.ruleFor(gatewayName, method)
    if (rule === undefined) return true
    const isExcluded = rule.excludedCaptureMethod !== null && rule.excludedCaptureMethod === captureMethod
    return !isExcluded && mayHave(rule.countries, country) && mayHave(rule.currencies, currency)
  }
}

/** An evaluation with only those connectors that take the payment; the output stays as configured, and nobody may be left. */
export const onlyEligible = (table: EligibilityTable, parameters: Parameters, evaluation: Evaluation): Evaluation => {
  const isEligible = createEligibilityFilter(table, parameters)
  if (evaluation.eligible.every(isEligible)) return evaluation
  return { ...evaluation, evaluated: evaluation.evaluated.filter(isEligible), eligible: evaluation.eligible.filter(isEligible) }
}
