import { assertNever } from '@switchyard/kernel'
import type { Output, PrioritySplit, Split } from '@switchyard/routing'
import * as z from 'zod'
import { connectorSchema, printConnector } from './algorithm-wire-values.ts'

/** Largest share of a split on the wire (rules.md 2.4). */
const SPLIT_MAX = 255
const weightSchema = z.number().int().min(0).max(SPLIT_MAX)

/** Most entries of a list of connectors, and of a split: more than a decision has candidates. */
const CONNECTOR_COUNT_MAX = 200
/** Most entries of the lists of a split together: every evaluation goes through all of them, and records them. */
const LISTED_COUNT_MAX = 500

/** A list of connectors. */
export const connectorsSchema: z.ZodType<Extract<Output, { readonly form: 'priority' }>['connectors']> = z
  .array(connectorSchema)
  .max(CONNECTOR_COUNT_MAX)

/** `[{split, output}]`. */
export const splitsSchema: z.ZodType<readonly Split[]> = z
  .array(
    z.object({ split: weightSchema, output: connectorSchema }).transform(({ split, output }) => ({ weight: split, connector: output })),
  )
  .max(CONNECTOR_COUNT_MAX)

const prioritySplitsSchema: z.ZodType<readonly PrioritySplit[]> = z
  .array(
    z.object({ split: weightSchema, output: connectorsSchema }).transform(({ split, output }) => ({ weight: split, connectors: output })),
  )
  .max(CONNECTOR_COUNT_MAX)
  .transform((splits, context): readonly PrioritySplit[] => {
    const listedCount = splits.reduce((count, { connectors }) => count + connectors.length, 0)
    if (listedCount <= LISTED_COUNT_MAX) return splits
    context.addIssue({ code: 'custom', message: `expected at most ${LISTED_COUNT_MAX} connectors in all lists together` })
    return z.NEVER
  })

const FORMS = 'single, priority, volume_split, volume_split_priority'

/** An output form: an object with exactly one of the four keys (rules.md 2.4). */
export const outputSchema: z.ZodType<Output> = z
  .object({
    single: connectorSchema.nullish(),
    priority: connectorsSchema.nullish(),
    volume_split: splitsSchema.nullish(),
    volume_split_priority: prioritySplitsSchema.nullish(),
  })
  .transform((sent, context): Output => {
    const forms: Output[] = []
    if (sent.single) forms.push({ form: 'single', connector: sent.single })
    if (sent.priority) forms.push({ form: 'priority', connectors: sent.priority })
    if (sent.volume_split) forms.push({ form: 'volumeSplit', splits: sent.volume_split })
    if (sent.volume_split_priority) forms.push({ form: 'volumeSplitPriority', splits: sent.volume_split_priority })
    const [output, ...others] = forms
    if (output !== undefined && others.length === 0) return output
    context.addIssue({ code: 'custom', message: `expected exactly one of ${FORMS}` })
    return z.NEVER
  })

/** An output form as clients see it. */
export const printOutput = (output: Output): object => {
  switch (output.form) {
    case 'single':
      return { single: printConnector(output.connector) }
    case 'priority':
      return { priority: output.connectors.map(printConnector) }
    case 'volumeSplit':
      return { volume_split: output.splits.map(({ weight, connector }) => ({ split: weight, output: printConnector(connector) })) }
    case 'volumeSplitPriority':
      return {
        volume_split_priority: output.splits.map(({ weight, connectors }) => ({ split: weight, output: connectors.map(printConnector) })),
      }
    default:
      return assertNever(output)
  }
}
