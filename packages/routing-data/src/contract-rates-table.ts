import { CONTRACT_RATE_COUNT_MAX, type ContractRates } from '@switchyard/costs'
import { ID_LENGTH_MAX } from '@switchyard/kernel'
import * as z from 'zod'
import { WORD_LENGTH_MAX } from './limits.ts'
import { parseTable, readTableFile, type TableForm } from './read-table.ts'

/** Rates by contract. */
type Rates = NonNullable<ContractRates['rates']>

/** Longest number of a cell, in characters. */
const NUMBER_LENGTH_MAX = 20

const fee = z
  .string()
  .max(NUMBER_LENGTH_MAX)
  .regex(/^\d+(\.\d+)?$/, 'must be a number of at least 0')
  .transform(Number)

/** A cell that may be empty, or its column absent. */
const wordOrNull = (lengthMax: number) =>
  z
    .string()
    .max(lengthMax)
    .default('')
    .transform((text) => (text === '' ? null : text))

const dimension = wordOrNull(ID_LENGTH_MAX)

const row = z
  .strictObject({
    psp: z.string().min(1, 'must not be empty').max(ID_LENGTH_MAX),
    card_network: dimension,
    payment_method_type: dimension,
    card_type: dimension,
    transaction_currency: dimension,
    card_issuing_country: dimension,
    interchange_bps: fee,
    scheme_bps: fee,
    markup_bps: fee,
    fixed: fee,
    label: wordOrNull(WORD_LENGTH_MAX),
  })
  .transform((sent): Rates[number] => ({
    gateway: sent.psp,
    network: sent.card_network,
    funding: sent.payment_method_type,
    program: sent.card_type,
    currency: sent.transaction_currency,
    issuer: sent.card_issuing_country,
    interchangeBps: sent.interchange_bps,
    schemeBps: sent.scheme_bps,
    markupBps: sent.markup_bps,
    fixed: sent.fixed,
    label: sent.label,
    exampleAmount: null,
  }))

const FORM: TableForm<Rates[number]> = {
  what: 'SWITCHYARD_CONTRACT_RATES_FILE: the table of contract rates',
  row,
  rowsMax: CONTRACT_RATE_COUNT_MAX,
}

/**
 * Loads the rates that hold for merchants that have told none of their own (cost.md 13); none without a file. Throws
 * `SETTING_INVALID` that names line, column and reason.
 */
export const loadContractRates = (path: string | undefined): Rates =>
  path === undefined ? [] : parseTable(FORM, readTableFile('SWITCHYARD_CONTRACT_RATES_FILE', path)).map(({ value }) => value)
