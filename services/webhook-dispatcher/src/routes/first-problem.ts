import type { z } from 'zod'

/** Where the first thing is that is wrong, and what. */
export const firstProblem = ({ issues: [issue] }: z.ZodError): string => `${issue?.path.join('.') || 'body'}: ${issue?.message}`
