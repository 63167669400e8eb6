import { assert } from '@switchyard/kernel'
import type { Condition, ConditionValue, ParameterValue, Rule } from './algorithm.ts'
import type { CompileScope } from './compile-condition.ts'
import { DECISION_TABLE_ROWS_MAX, DECISION_TABLE_SUBJECTS_MAX, DECISION_TABLE_TESTS_MAX } from './limits.ts'
import { PARAMETER_TYPES, type Parameters } from './parameters.ts'
import { type Filter, type FilterTree, filtersOf, mayMatch, type Subject, subjectsOf } from './rule-filters.ts'
import { createValueClasses, type ValueClasses } from './value-classes.ts'

/**
 * Which rules can still match, from single parameters alone: what a rule compares with one parameter is tried once, when the
 * program is compiled, with every value that can make a difference. It only ever drops rules that would not match, so going
 * through the others in order gives what going through all of them gives.
 */
export interface DecisionTable {
  /** One bit for each rule that may match, the first rule lowest; valid until the next call. */
  readonly remaining: (parameters: Parameters) => Uint32Array
}

const BITS = 32

interface SubjectTable {
  readonly subject: Subject
  readonly classes: ValueClasses
  /** For each class the rules that remain. */
  readonly rows: readonly Uint32Array[]
}

const setBit = (row: Uint32Array, rule: number): void => {
  const word = Math.floor(rule / BITS)
  row[word] = (row[word] ?? 0) | (1 << (rule % BITS))
}

const filtersIn = ({ own, nested }: FilterTree): readonly Filter[] => [...own, ...(nested ?? []).flatMap(filtersIn)]

const comparedWith = ({ value }: Condition, { globals }: CompileScope): readonly ConditionValue[] =>
  value.type === 'globalRef' ? (globals.find(({ name }) => name === value.name)?.values ?? []) : [value]

/** What a table of one subject is made from. */
interface Draft {
  readonly subject: Subject
  readonly classes: ValueClasses
  /** For each rule what of it depends on the subject; undefined when it may match whatever that is. */
  readonly trees: readonly (readonly FilterTree[] | undefined)[]
  /** How often a condition is tried with a value to fill the table. */
  readonly testCount: number
}

/** Undefined when no rule depends on the subject. */
const draftOf = (subject: Subject, rules: readonly Rule[], scope: CompileScope): Draft | undefined => {
  const trees = rules.map(({ statements }) => filtersOf(statements, subject, scope))
  const filters = trees.flatMap((tree) => (tree ?? []).flatMap(filtersIn))
  // A set that many conditions name is one list: it may be long.
  const lists = new Set(filters.map(({ condition }) => comparedWith(condition, scope)))
  const classes = filters.length === 0 ? undefined : createValueClasses(scope.catalogue, subject, [...lists].flat())
  return classes && { subject, classes, trees, testCount: classes.samples.length * filters.length }
}

const filled = ({ subject, classes, trees }: Draft): SubjectTable => {
  const rowOf = (sample: ParameterValue | undefined): Uint32Array => {
    const row = new Uint32Array(Math.ceil(trees.length / BITS))
    for (const [rule, tree] of trees.entries()) if (tree === undefined || mayMatch(tree, sample)) setBit(row, rule)
    return row
  }
  return { subject, classes, rows: classes.samples.map(rowOf) }
}

/** A table for each subject, as long as they can be filled in bounded time and kept in bounded memory: the others drop no rules. */
const tablesOf = (subjects: readonly Subject[], rules: readonly Rule[], scope: CompileScope): readonly SubjectTable[] => {
  const tables: SubjectTable[] = []
  let testsLeft = DECISION_TABLE_TESTS_MAX
  let rowsLeft = DECISION_TABLE_ROWS_MAX
  for (const subject of subjects.slice(0, DECISION_TABLE_SUBJECTS_MAX)) {
    const draft = draftOf(subject, rules, scope)
    const rowCount = draft?.classes.samples.length ?? 0
    if (draft === undefined || draft.testCount > testsLeft || rowCount > rowsLeft) continue
    testsLeft -= draft.testCount
    rowsLeft -= rowCount
    tables.push(filled(draft))
  }
  return tables
}

interface TypedKey {
  readonly key: string
  readonly type: ParameterValue['type']
}

/** The keys that rules name, and the type that their values have when nobody fails. */
const typedKeys = (subjects: readonly Subject[], { catalogue }: CompileScope): readonly TypedKey[] => {
  const types = new Map<string, ParameterValue['type']>()
  for (const { key } of subjects) {
    const routingKey = catalogue.keys.get(key)
    const type = routingKey && PARAMETER_TYPES[routingKey.type]
    if (type) types.set(key, type)
  }
  return Array.from(types, ([key, type]) => ({ key, type }))
}

const areTyped = (types: readonly TypedKey[], parameters: Parameters): boolean => {
  for (const { key, type } of types) {
    const parameter = parameters.get(key)
    if (parameter !== undefined && parameter.type !== type) return false
  }
  return true
}

const seenBy = ({ key, metadataKey }: Subject, parameters: Parameters): ParameterValue | undefined => {
  const own = metadataKey === null ? undefined : parameters.get(metadataKey)
  return own?.type === 'metadata' ? own : parameters.get(key)
}

/** Prepares the table; a rule without statements never remains. */
export const createDecisionTable = (rules: readonly Rule[], scope: CompileScope): DecisionTable => {
  const wordCount = Math.ceil(rules.length / BITS)
  const all = new Uint32Array(wordCount)
  for (const [index, { statements }] of rules.entries()) if (statements.length > 0) setBit(all, index)
  const subjects = subjectsOf(rules)
  const tables = tablesOf(subjects, rules, scope)
  const types = typedKeys(subjects, scope)
  const remaining = new Uint32Array(wordCount)
  return {
    remaining: (parameters) => {
      // A value of another type fails the evaluation where a condition asks for it: then every rule is asked.
      if (!areTyped(types, parameters)) return all
      remaining.set(all)
      for (const { subject, classes, rows } of tables) {
        const row = rows[classes.classOf(seenBy(subject, parameters))]
        assert(row !== undefined, 'every class of values has its row')
        for (let word = 0; word < wordCount; word++) remaining[word] = (remaining[word] ?? 0) & (row[word] ?? 0)
      }
      return remaining
    },
  }
}
