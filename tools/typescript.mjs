// Lets Node run TypeScript outside of jest: node --import ./tools/typescript.mjs test/support/shared-cluster.ts. Types are taken
// off module by module, as they are for the tests; what they say is checked by `npm run typecheck`.
import { readFile } from 'node:fs/promises'
import { register } from 'node:module'
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'
import { transform } from '@swc/core'
import { SWC_OPTIONS } from './swc-options.mjs'

// Node calls `load` in a thread of its own, which imports this module too.
if (isMainThread) register(import.meta.url)

/** A hook of Node's module loader: the source of a TypeScript module, without its types. */
export const load = async (url, context, nextLoad) => {
  if (!url.endsWith('.ts')) return await nextLoad(url, context)
  const { code } = await transform(await readFile(fileURLToPath(url), 'utf8'), SWC_OPTIONS)
  return { format: 'module', source: code, shortCircuit: true }
}
