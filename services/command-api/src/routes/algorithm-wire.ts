import { withFewMembers } from '@switchyard/http'
import { assertNever, NAME_LENGTH_MAX } from '@switchyard/kernel'
import type { Algorithm, Condition, Json, Program, RoutingType, Rule, Statement } from '@switchyard/routing'
import * as z from 'zod'
import { connectorsSchema, outputSchema, printOutput, splitsSchema } from './algorithm-wire-outputs.ts'
import { comparisonSchema, connectorSchema, printComparison, printConnector, printValue, valueSchema } from './algorithm-wire-values.ts'
import { experimentSchema, printExperiment } from './experiment-wire.ts'

/** Most named sets of a program. */
const GLOBAL_COUNT_MAX = 1_000

const ROUTING_TYPES = {
  priority: 'priority',
  volume_split: 'volumeSplit',
  volume_split_priority: 'volumeSplitPriority',
} as const satisfies Readonly<Record<string, RoutingType>>

const ROUTING_TYPE_WORDS: Readonly<Record<RoutingType, string>> = {
  priority: 'priority',
  volumeSplit: 'volume_split',
  volumeSplitPriority: 'volume_split_priority',
}

/** Whatever JSON it is: it is kept for the client. */
const jsonSchema: z.ZodType<Json> = z.custom<Json>((value) => value !== undefined)
const jsonObjectSchema = z.record(z.string(), jsonSchema)

const conditionSchema: z.ZodType<Condition> = z
  .object({ lhs: z.string(), comparison: comparisonSchema, value: valueSchema, metadata: jsonObjectSchema.nullish() })
  .transform(({ lhs, comparison, value, metadata }) => ({ key: lhs, comparison, value, metadata: metadata ?? {} }))

/** No nested statements, an empty list and null all mean the same (rules.md Q10). */
const statementSchema: z.ZodType<Statement> = z.lazy(() =>
  z
    .object({ condition: z.array(conditionSchema), nested: z.array(statementSchema).nullish() })
    .transform(({ condition, nested }) => ({ conditions: condition, nested: nested ?? [] })),
)

/** Older clients write two keys of a rule in camel case. */
export const RULE_ALIASES: ReadonlyMap<PropertyKey, string> = new Map<PropertyKey, string>([
  ['routing_type', 'routingType'],
  ['output', 'routingOutput'],
])

const withAliases = (sent: unknown): unknown => {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return sent
  const { routingType, routingOutput, ...rule } = { routingType: undefined, routingOutput: undefined, ...sent }
  return {
    ...(routingType !== undefined && { routing_type: routingType }),
    ...(routingOutput !== undefined && { output: routingOutput }),
    ...rule,
  }
}

const ruleSchema: z.ZodType<Rule> = z.preprocess(
  withAliases,
  z
    .object({
      name: z.string().max(NAME_LENGTH_MAX),
      routing_type: z.enum(['priority', 'volume_split', 'volume_split_priority']),
      output: outputSchema,
      statements: z.array(statementSchema),
    })
    .transform(({ name, routing_type, output, statements }) => ({ name, routingType: ROUTING_TYPES[routing_type], output, statements })),
)

const programSchema: z.ZodType<Program> = z
  .object({
    globals: withFewMembers(z.record(z.string(), z.array(valueSchema)), GLOBAL_COUNT_MAX).nullish(),
    default_selection: outputSchema,
    rules: z.array(ruleSchema),
    metadata: jsonObjectSchema.nullish(),
  })
  .transform(({ globals, default_selection, rules, metadata }) => ({
    globals: Object.entries(globals ?? {}).map(([name, values]) => ({ name, values })),
    defaultSelection: default_selection,
    rules,
    metadata: metadata ?? null,
  }))

const sentAlgorithmSchema = z.discriminatedUnion(
  'type',
  [
    z.object({ type: z.literal('single'), data: connectorSchema }),
    z.object({ type: z.literal('priority'), data: connectorsSchema }),
    z.object({ type: z.literal('volume_split'), data: splitsSchema }),
    z.object({ type: z.literal('advanced'), data: programSchema }),
    z.object({ type: z.literal('ab_test'), data: experimentSchema }),
  ],
  { error: 'expected an object whose type is one of single, priority, volume_split, advanced, ab_test' },
)

const readAlgorithm = (sent: z.infer<typeof sentAlgorithmSchema>): Algorithm => {
  switch (sent.type) {
    case 'single':
      return { kind: 'SINGLE', output: { form: 'single', connector: sent.data } }
    case 'priority':
      return { kind: 'PRIORITY', output: { form: 'priority', connectors: sent.data } }
    case 'volume_split':
      return { kind: 'VOLUME_SPLIT', output: { form: 'volumeSplit', splits: sent.data } }
    case 'advanced':
      return { kind: 'ADVANCED', program: sent.data }
    case 'ab_test':
      return { kind: 'AB_TEST', experiment: sent.data }
    default:
      return assertNever(sent)
  }
}

/** `{type, data}` of a request (rules.md 2.2). */
export const algorithmSchema: z.ZodType<Algorithm> = sentAlgorithmSchema.transform(readAlgorithm)

const printStatement = ({ conditions, nested }: Statement): object => ({
  condition: conditions.map(({ key, comparison, value, metadata }) => ({
    lhs: key,
    comparison: printComparison(comparison),
    value: printValue(value),
    metadata,
  })),
  nested: nested.length === 0 ? null : nested.map(printStatement),
})

const printProgram = ({ globals, defaultSelection, rules, metadata }: Program): object => ({
  globals: Object.fromEntries(globals.map(({ name, values }) => [name, values.map(printValue)])),
  default_selection: printOutput(defaultSelection),
  rules: rules.map(({ name, routingType, output, statements }) => ({
    name,
    routing_type: ROUTING_TYPE_WORDS[routingType],
    output: printOutput(output),
    statements: statements.map(printStatement),
  })),
  metadata,
})

/** An algorithm in the normalised form that lists show (rules.md 3.5). */
export const printAlgorithm = (algorithm: Algorithm): { readonly type: string; readonly data: unknown } => {
  switch (algorithm.kind) {
    case 'SINGLE':
      return { type: 'single', data: printConnector(algorithm.output.connector) }
    case 'PRIORITY':
      return { type: 'priority', data: algorithm.output.connectors.map(printConnector) }
    case 'VOLUME_SPLIT':
      return {
        type: 'volume_split',
        data: algorithm.output.splits.map(({ weight, connector }) => ({ split: weight, output: printConnector(connector) })),
      }
    case 'ADVANCED':
      return { type: 'advanced', data: printProgram(algorithm.program) }
    case 'AB_TEST':
      return { type: 'ab_test', data: printExperiment(algorithm.experiment) }
    default:
      return assertNever(algorithm)
  }
}
