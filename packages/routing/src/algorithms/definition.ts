import type { AlgorithmKind } from '@switchyard/events'
import { assert } from '@switchyard/kernel'
import type { Algorithm } from './algorithm.ts'

const encoder = new TextEncoder()
const BEYOND_ASCII = /[^\0-\u007f]/

/** Length of a definition in bytes of UTF-8; one in plain ASCII is not encoded for it. */
export const definitionBytes = (definition: string): number =>
  BEYOND_ASCII.test(definition) ? encoder.encode(definition).length : definition.length

/** The text under which an algorithm stands in the log, beside its kind; {@link parseDefinition} reads it back. */
export const printDefinition = (algorithm: Algorithm): string =>
  JSON.stringify(algorithm.kind === 'ADVANCED' ? algorithm.program : algorithm.output)

/**
 * Reads what {@link printDefinition} wrote: recorded text, so its shape is trusted. `UNKNOWN` is the kind of a newer
 * release and has no reader here; ask before.
 */
export const parseDefinition = (kind: AlgorithmKind, definition: string): Algorithm => {
  assert(kind !== 'UNKNOWN', 'an algorithm of an unknown kind has no reader')
  return kind === 'ADVANCED' ? { kind, program: JSON.parse(definition) } : { kind, output: JSON.parse(definition) }
}
