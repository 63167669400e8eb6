import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const projectRoot: string = process.cwd()

/** A text file of the project: its path from the root, and its lines. */
export interface Source {
  readonly path: string
  readonly text: string
  readonly lines: readonly string[]
}

const OUTSIDE = /(^|\/)(node_modules|dist|data|coverage|\.git)(\/|$)/

/** What git would track; without a repository (an unpacked archive) everything but what is installed or built. */
const listPaths = (): readonly string[] => {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z']
  const { status, stdout } = spawnSync('git', args, { cwd: projectRoot, encoding: 'utf8' })
  if (status === 0) return stdout.split('\0')
  return readdirSync(projectRoot, { encoding: 'utf8', recursive: true }).filter((path) => !OUTSIDE.test(path))
}

/** Every file of the project, by its path from the root. */
export const projectPaths = (): readonly string[] =>
  listPaths().filter((path) => path !== '' && statSync(join(projectRoot, path), { throwIfNoEntry: false })?.isFile() === true)

export const readSource = (path: string): Source => {
  const text = readFileSync(join(projectRoot, path), 'utf8')
  return { path, text, lines: text.split('\n') }
}

const isGenerated = (path: string): boolean => path.includes('/generated/') || path.startsWith('schemas/published/')

/** Files that people write: code of all folders, without what is generated. */
export const codeFiles = (): readonly Source[] =>
  projectPaths()
    .filter((path) => /\.(ts|mts|mjs|cjs|js)$/.test(path) && !isGenerated(path))
    .map(readSource)

/** Product code: sources of packages and services, without tests and their fixtures. */
export const productFiles = (): readonly Source[] =>
  codeFiles().filter(({ path }) => /^(packages|services)\/[^/]+\/src\//.test(path) && !/\.(test|fixture)\.ts$/.test(path))

/** `path:line: text` of every line that matches; what a failing test shows. */
export const linesMatching = (sources: readonly Source[], pattern: RegExp): readonly string[] =>
  sources.flatMap(({ path, lines }) => lines.flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])))
