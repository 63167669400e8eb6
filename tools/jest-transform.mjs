// How jest reads ES modules: TypeScript without its types, and in front of each the objects of the language that it names.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createTransformer } from '@swc/jest'
import { BUILT_INS } from './jest-built-ins.mjs'
import { SWC_OPTIONS } from './swc-options.mjs'

const swc = createTransformer(SWC_OPTIONS)

const NAMES = new RegExp(`\\b(?:${BUILT_INS.join('|')})\\b`, 'g')

/** On the line of the module's first statement: the lines of errors are those of the source. */
const withBuiltIns = (code) => {
  const names = [...new Set(code.match(NAMES))]
  return names.length === 0 || code.startsWith('#!') ? code : `const { ${names.join(', ')} } = globalThis; ${code}`
}

/** What these lines have put in front of modules is kept until they change. */
const VERSION = createHash('sha256')
  .update(readFileSync(fileURLToPath(import.meta.url)))
  .update(BUILT_INS.join())
  .digest('hex')

export default {
  process: (source, path, options) => {
    const { code, ...rest } = path.endsWith('.ts') ? swc.process(source, path, options) : { code: source }
    // CommonJS has them as parameters (jest.config.js), which nothing may be called like.
    return { ...rest, code: options.supportsStaticESM ? withBuiltIns(code) : code }
  },
  getCacheKey: (source, path, options) => `${swc.getCacheKey(source, path, options)}-${VERSION.slice(0, 16)}`,
}
