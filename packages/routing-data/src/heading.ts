import type * as z from 'zod'
import { distinctColumns } from './distinct-columns.ts'

/** The heading of a table as it is read. */
export interface Heading {
  /** Takes the columns; throws when one stands there twice. */
  readonly take: (columns: string[]) => string[]
  /** Why it is none of rows of this form; rows tell it by themselves, a table without any is asked. */
  readonly problem: (row: z.ZodType) => string | undefined
}

/** A heading that is still to be read. */
export const createHeading = (): Heading => {
  let names: readonly string[] = []
  return {
    take: (columns) => {
      names = columns
      return distinctColumns(columns)
    },
    problem: (row) => {
      // What is wrong with empty cells is no matter of the heading.
      const issues = row.safeParse(Object.fromEntries(names.map((name) => [name, '']))).error?.issues ?? []
      const issue = issues.find(({ code, path }) => code === 'unrecognized_keys' || !names.includes(String(path[0])))
      return issue && `line 1: ${[...issue.path, issue.message].map(String).join(': ')}`
    },
  }
}
