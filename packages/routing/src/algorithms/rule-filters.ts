import type { Condition, ParameterValue, Rule, Statement } from './algorithm.ts'
import { type CompileScope, compileValueTest, FALSE, type ValueTest } from './compile-condition.ts'
import { isWellTyped } from './condition-types.ts'

/** What conditions look at: a parameter by its key; a metadata condition first at the one named like the metadata. */
export interface Subject {
  readonly key: string
  /** Null for other than metadata. */
  readonly metadataKey: string | null
}

/** A condition that can rule its statement out by itself. */
export interface Filter {
  readonly condition: Condition
  readonly test: ValueTest
}

/** What of a statement depends on one subject: it can't hold when one of its own filters fails, nor when all nested ones do. */
export interface FilterTree {
  readonly own: readonly Filter[]
  /** Null when a nested statement does not depend on the subject, and when there are none. */
  readonly nested: readonly FilterTree[] | null
}

const subjectOf = ({ key, value }: Condition): Subject => ({ key, metadataKey: value.type === 'metadata' ? value.key : null })

const isAbout = ({ key, metadataKey }: Subject, condition: Condition): boolean =>
  condition.key === key && (condition.value.type === 'metadata' ? condition.value.key : null) === metadataKey

const conditionsIn = ({ conditions, nested }: Statement): readonly Condition[] => [...conditions, ...nested.flatMap(conditionsIn)]

/** Everything that the conditions of these rules look at, each once, what most of them look at first. */
export const subjectsOf = (rules: readonly Rule[]): readonly Subject[] => {
  const subjects = new Map<string, { readonly subject: Subject; count: number }>()
  for (const condition of rules.flatMap(({ statements }) => statements.flatMap(conditionsIn))) {
    const subject = subjectOf(condition)
    const identity = JSON.stringify([subject.key, subject.metadataKey])
    const known = subjects.get(identity)
    if (known === undefined) subjects.set(identity, { subject, count: 1 })
    else known.count++
  }
  return [...subjects.values()].sort((a, b) => b.count - a.count).map(({ subject }) => subject)
}

/** Undefined when the statement may hold whatever the subject is. */
const filtersOfStatement = ({ conditions, nested }: Statement, subject: Subject, scope: CompileScope): FilterTree | undefined => {
  // What stands behind a condition that could fail the evaluation must not decide before it.
  const unsafe = conditions.findIndex((condition) => !isWellTyped(scope.catalogue, condition))
  const own = (unsafe === -1 ? conditions : conditions.slice(0, unsafe))
    .filter((condition) => isAbout(subject, condition))
    .map((condition) => ({ condition, test: compileValueTest(condition, scope) }))
  const inner = unsafe === -1 && nested.length > 0 ? filtersOf(nested, subject, scope) : undefined
  return own.length === 0 && inner === undefined ? undefined : { own, nested: inner ?? null }
}

/** What of these alternatives depends on a subject; undefined when one of them may hold whatever the subject is. */
export const filtersOf = (statements: readonly Statement[], subject: Subject, scope: CompileScope): readonly FilterTree[] | undefined => {
  const trees: FilterTree[] = []
  for (const statement of statements) {
    const tree = filtersOfStatement(statement, subject, scope)
    if (tree === undefined) return undefined
    trees.push(tree)
  }
  return trees
}

/** Whether one of these alternatives may still hold when this is what they look at; absent, it fails every condition on it. */
export const mayMatch = (trees: readonly FilterTree[], seen: ParameterValue | undefined): boolean => {
  for (const { own, nested } of trees) {
    const isRuledOut = own.length > 0 && (seen === undefined || own.some(({ test }) => test(seen) === FALSE))
    if (!isRuledOut && (nested === null || mayMatch(nested, seen))) return true
  }
  return false
}
