// How jest reads ES modules: TypeScript without its types, and in front of each the objects of the language that it names.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createTransformer } from '@swc/jest'
import { BUILT_INS } from './jest-built-ins.mjs'

const swc = createTransformer({ jsc: { parser: { syntax: 'typescript' }, target: 'es2023' }, module: { type: 'es6' } })

const NAMES = new RegExp(`\\b(?:${BUILT_INS.join('|')})\\b`, 'g')

/** On the line of the module's first statement: the lines of errors are those of the source. */
const withBuiltIns = ({ code, ...rest }) => {
  const names = [...new Set(code.match(NAMES))]
  return names.length === 0 || code.startsWith('#!')
    ? { code, ...rest }
    : { code: `const { ${names.join(', ')} } = globalThis; ${code}`, ...rest }
}

/** What was read by other words than these is read anew. */
const WORDS = createHash('sha256')
  .update(readFileSync(fileURLToPath(import.meta.url)))
  .update(BUILT_INS.join())
  .digest('hex')
  .slice(0, 16)

const isTypeScript = (path) => path.endsWith('.ts')

export default {
  process: (source, path, options) => withBuiltIns(isTypeScript(path) ? swc.process(source, path, options) : { code: source }),
  processAsync: async (source, path, options) =>
    withBuiltIns(isTypeScript(path) ? await swc.processAsync(source, path, options) : { code: source }),
  getCacheKey: (source, path, options) => `${swc.getCacheKey(source, path, options)}-${WORDS}`,
}
