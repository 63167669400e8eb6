import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { projectRoot } from './schema-folder.ts'

const git = (...args: readonly string[]): string | undefined => {
  const { status, stdout } = spawnSync('git', args, { cwd: projectRoot, encoding: 'utf8' })
  return status === 0 ? stdout : undefined
}

/** The commit that this work started from: where it left the main branch, else the one before, else the last one. */
const findBase = (): string | undefined =>
  [git('merge-base', 'HEAD', 'origin/main'), git('rev-parse', '--verify', 'HEAD~1'), git('rev-parse', '--verify', 'HEAD')]
    .map((commit) => commit?.trim())
    .find((commit) => commit !== undefined && git('cat-file', '-e', `${commit}:schemas/published/ids.json`) !== undefined)

const base = findBase()
const testWithBase = base === undefined ? test.skip : test
const atBase = (path: string): string => git('show', `${base}:${path}`) ?? ''
const today = (path: string): string => (existsSync(join(projectRoot, path)) ? readFileSync(join(projectRoot, path), 'utf8') : '')

describe('published schemas are append-only', () => {
  testWithBase('no published file was edited or removed since the base commit', () => {
    const files = (git('ls-tree', '-r', '--name-only', `${base}`, 'schemas/published') ?? '')
      .split('\n')
      .filter((path) => path.endsWith('.avsc'))
    expect(files.length).toBeGreaterThan(0)
    expect(files.filter((path) => today(path) !== atBase(path))).toEqual([])
  })

  testWithBase('no id was given to another schema since the base commit', () => {
    expect(JSON.parse(today('schemas/published/ids.json'))).toMatchObject(JSON.parse(atBase('schemas/published/ids.json')))
  })
})
