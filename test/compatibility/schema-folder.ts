import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const projectRoot: string = process.cwd()

/** A schema as its file says; only what these tests look at. */
export interface SchemaFile {
  readonly name: string
  readonly fields: readonly { readonly name: string; readonly [attribute: string]: unknown }[]
  readonly [attribute: string]: unknown
}

export const readSchema = (root: string, path: string): SchemaFile => JSON.parse(readFileSync(join(root, 'schemas', path), 'utf8'))

export const writeSchema = (root: string, path: string, schema: SchemaFile): void =>
  writeFileSync(join(root, 'schemas', path), `${JSON.stringify(schema, null, 2)}\n`)

/** The schemas and the tools that work on them, in a temporary place. Returns its path. */
export const copySchemas = (): string => {
  const root = mkdtempSync(join(tmpdir(), 'switchyard-schemas-'))
  cpSync(join(projectRoot, 'schemas'), join(root, 'schemas'), { recursive: true })
  mkdirSync(join(root, 'tools'))
  for (const tool of ['schemas', 'check-schemas', 'publish-schemas', 'generate-events', 'event-bodies']) {
    cpSync(join(projectRoot, `tools/${tool}.mjs`), join(root, `tools/${tool}.mjs`))
  }
  symlinkSync(join(projectRoot, 'node_modules'), join(root, 'node_modules'))
  return root
}

/** How a tool ended and what it said. */
export interface ToolRun {
  readonly status: number | null
  readonly output: string
}

export const runTool = (root: string, tool: string, ...args: readonly string[]): ToolRun => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, `tools/${tool}.mjs`), ...args], { encoding: 'utf8' })
  return { status, output: `${stdout}${stderr}` }
}
