import { parseJsonText } from '@switchyard/http'
import { type OutcomeBody, parseOutcome } from '../routes/parse-outcome.ts'
import type { Element } from './elements.ts'
import type { RefuseMerchant } from './upload-merchants.ts'
import { type LineResult, refused } from './upload-results.ts'

/** What a line says, or why it says nothing. */
export type Line =
  | { readonly number: number; readonly outcome: OutcomeBody; readonly refusal?: never }
  | { readonly number: number; readonly outcome?: never; readonly refusal: LineResult }

/** Lines that are recorded together, and what is to be answered for the merchants that they name. */
export interface Group {
  readonly lines: readonly Line[]
  readonly refusals: ReadonlyMap<string, LineResult | undefined>
}

const read = ({ number, text, problem }: Element): Line => {
  if (text === undefined) return { number, refusal: refused(problem.code, problem.message) }
  const json = parseJsonText(text)
  if (!json.ok) return { number, refusal: refused('INVALID_INPUT', json.detail) }
  const parsed = parseOutcome(json.value)
  return parsed.problem === undefined ? { number, outcome: parsed.value } : { number, refusal: refused('INVALID_INPUT', parsed.problem) }
}

/** Reads one group after the other, also where a merchant has to be asked for: what an upload says of a merchant keeps its order. */
export const readGroups = async function* (
  groups: AsyncIterable<readonly Element[]>,
  refuseMerchant: RefuseMerchant,
): AsyncGenerator<Group> {
  for await (const group of groups) {
    const lines = group.map(read)
    const merchantIds = new Set(lines.flatMap(({ outcome }) => outcome?.merchantId ?? []))
    const refusals = new Map(await Promise.all(Array.from(merchantIds, async (id) => [id, await refuseMerchant(id)] as const)))
    yield { lines, refusals }
  }
}
