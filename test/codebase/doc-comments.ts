import type { Source } from './sources.ts'

const DECLARATION = /^export (?:declare )?(?:async )?(?:function\*?|const|class|interface|type|abstract class) ([A-Za-z0-9_]+)/
/** Only functions and types need one: a plain constant may speak for itself. */
const NEEDS_DOC = /^export (?:async )?(?:function|class|interface|type)|^export const [A-Za-z0-9_]+.*(?:=>|create|\()/

const hasDocAbove = (lines: readonly string[], index: number): boolean => (lines[index - 1] ?? '').trimEnd().endsWith('*/')

const isOverload = (lines: readonly string[], index: number, name: string): boolean =>
  lines.slice(0, index).some((line) => DECLARATION.exec(line)?.[1] === name && line.includes('function'))

/** Those of the exported functions and types of a file, out of `names`, that carry no doc comment, with their lines. */
export const undocumentedExports = ({ path, lines }: Source, names: ReadonlySet<string>): readonly string[] =>
  lines.flatMap((line, index) => {
    const name = DECLARATION.exec(line)?.[1]
    if (name === undefined || !names.has(name) || !NEEDS_DOC.test(line)) return []
    return hasDocAbove(lines, index) || isOverload(lines, index, name) ? [] : [`${path}:${index + 1}: ${name}`]
  })

/** What an index re-exports: from which file of its folder, under which names. */
export interface Reexport {
  readonly from: string
  readonly names: ReadonlySet<string>
}

export const reexportsOf = ({ path, text }: Source): readonly Reexport[] => {
  const folder = path.slice(0, path.lastIndexOf('/'))
  return [...text.matchAll(/export (?:type )?\{([^}]*)\} from '\.\/([^']+)'/g)].map(([, list = '', file = '']) => ({
    from: `${folder}/${file}`,
    names: new Set(
      list
        .split(',')
        .map((name) => name.replace(/\btype\b| as .*/g, '').trim())
        .filter((name) => name !== ''),
    ),
  }))
}
