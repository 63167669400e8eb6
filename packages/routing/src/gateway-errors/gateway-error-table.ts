import type { GatewayErrorClass, OutcomeError } from '@switchyard/events'

/** Stands in a row for every value of its column. */
export const ANY = '*'

/** A row of the table: which errors it is about, exact and case-sensitive, and what it says of them. */
export interface GatewayErrorRule extends GatewayErrorClass {
  /** Name of the gateway without the part behind a colon; it and the three texts below may be {@link ANY}. */
  readonly connector: string
  readonly flow: string
  readonly subFlow: string
  readonly code: string
  readonly message: string
}

/** The classification of gateways' errors (decide.md 6.2): a row for each error that is known. */
export interface GatewayErrorTable {
  /** In the order of the table. */
  readonly rules: readonly GatewayErrorRule[]
  /** What the table says of an error; undefined when no row is about it. */
  readonly classify: (gateway: string, error: OutcomeError) => GatewayErrorClass | undefined
}

interface Reported {
  readonly connector: string
  readonly flow: string
  readonly subFlow: string
  readonly code: string
  readonly message: string
}

const PAYMENT_METHOD_DETAILS = 'Issue with Payment Method details'
const ISSUER_CODE_DIGITS = 2

const wildcardCount = ({ connector, flow, subFlow, message }: GatewayErrorRule): number =>
  [connector, flow, subFlow, message].filter((text) => text === ANY).length

const fits = (expected: string, reported: string): boolean => expected === ANY || expected === reported

const isAbout = (rule: GatewayErrorRule, { connector, flow, subFlow, message }: Reported): boolean =>
  fits(rule.connector, connector) && fits(rule.flow, flow) && fits(rule.subFlow, subFlow) && fits(rule.message, message)

/** A gateway may be `name:account`. */
const connectorOf = (gateway: string): string => gateway.split(':', 1)[0] ?? gateway

/** What is looked up, in this order: the issuer's answer within its network, then the gateway's. */
const lookups = (gateway: string, error: OutcomeError): readonly Reported[] => {
  const { flow, subFlow, cardNetwork, issuerErrorCode } = error
  const place = { connector: connectorOf(gateway), flow, subFlow }
  const own = { ...place, code: error.errorCode ?? '', message: error.errorMessage ?? '' }
  if (!cardNetwork || !issuerErrorCode) return [own]
  const issuer = `Network:${cardNetwork}|IssuerCode:${issuerErrorCode.padStart(ISSUER_CODE_DIGITS, '0')}`
  return [{ ...place, code: issuer, message: issuer }, own]
}

const classOf = ({ connector: _1, flow: _2, subFlow: _3, code: _4, message: _5, ...says }: GatewayErrorRule): GatewayErrorClass => says

/** The table of these rows. Of several rows about one error the one with the fewest {@link ANY} counts, then the earliest. */
export const createGatewayErrorTable = (rules: readonly GatewayErrorRule[]): GatewayErrorTable => {
  const byCode = new Map<string, { readonly rule: GatewayErrorRule; readonly says: GatewayErrorClass }[]>()
  for (const rule of rules.toSorted((a, b) => wildcardCount(a) - wildcardCount(b))) {
    const known = byCode.get(rule.code) ?? []
    known.push({ rule, says: classOf(rule) })
    byCode.set(rule.code, known)
  }
  return {
    rules,
    classify: (gateway, error) => {
      for (const reported of lookups(gateway, error)) {
        const found = byCode.get(reported.code)?.find(({ rule }) => isAbout(rule, reported))
        if (found !== undefined) return found.says
      }
      return undefined
    },
  }
}

/** Whether an error says nothing about the gateway: the payer can mend it, or gave wrong details (decide.md 6.4, gate 2). */
export const isPayersError = ({ stepUpPossible, unifiedMessage }: GatewayErrorClass): boolean =>
  stepUpPossible || unifiedMessage === PAYMENT_METHOD_DETAILS
