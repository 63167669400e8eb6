import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'

const { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } = fs

/** What was written, and whether it was on disk before it got its name. */
const written: string[] = []

// The recursive mkdir never returns below /proc: here it is answered at once, so that a test of it can fail.
jest.unstable_mockModule('node:fs', () => ({
  ...fs,
  mkdirSync: (path: string, options?: { readonly recursive?: boolean }): void => {
    if (options?.recursive === true) throw new Error('a recursive mkdir may never return')
    fs.mkdirSync(path)
  },
  writeFileSync: (path: string, text: string, options?: { readonly flush?: boolean }): void => {
    fs.writeFileSync(path, text, options)
    written.push(options?.flush === true ? 'on disk' : 'in memory')
  },
}))
const { openDataFolder } = await import('./data-folder.ts')

const PATHS_THAT_LINUX_REFUSES: readonly string[] = existsSync('/proc/self') ? ['/proc/nope', '/proc/nope/data'] : []

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'switchyard-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

describe('data folder', () => {
  test('a new one is created and opened again', () => {
    const path = join(root, 'a', 'b')
    expect(openDataFolder(path)).toEqual(openDataFolder(path))
  })

  test('a power cut after the first start left an empty marker, and every later start refused the folder', () => {
    written.length = 0
    openDataFolder(join(root, 'data'))
    expect(written).toEqual(['on disk'])
  })

  test('one that holds something else is refused and left alone', () => {
    writeFileSync(join(root, 'letter.txt'), 'dear')
    expect(() => openDataFolder(root)).toThrow(expect.objectContaining({ code: 'DATA_FOLDER_FOREIGN' }))
    expect(readFileSync(join(root, 'letter.txt'), 'utf8')).toBe('dear')
  })

  test('the root of a mounted volume was refused as a folder of something else, for the lost+found in it', () => {
    mkdirSync(join(root, 'lost+found'))
    expect(openDataFolder(root)).toEqual(openDataFolder(root))
  })

  test('a lost+found beside something else makes it none of ours', () => {
    mkdirSync(join(root, 'lost+found'))
    writeFileSync(join(root, 'letter.txt'), 'dear')
    expect(() => openDataFolder(root)).toThrow(expect.objectContaining({ code: 'DATA_FOLDER_FOREIGN' }))
  })

  test('one of another layout is refused', () => {
    writeFileSync(join(root, 'switchyard.json'), '{"product":"switchyard","layout":99}')
    expect(() => openDataFolder(root)).toThrow('layout 99')
  })

  test('a path that is a file is named', () => {
    writeFileSync(join(root, 'file'), '')
    expect(() => openDataFolder(join(root, 'file'))).toThrow(expect.objectContaining({ code: 'DATA_FOLDER_UNWRITABLE' }))
    expect(() => openDataFolder(join(root, 'file', 'below'))).toThrow(expect.objectContaining({ code: 'DATA_FOLDER_UNWRITABLE' }))
  })

  test('a path that the system refuses to create is one clear line', () => {
    for (const path of PATHS_THAT_LINUX_REFUSES) {
      const message = expect.stringMatching(`^SWITCHYARD_DATA_DIR: ${path} can't be written: (?!a recursive).+$`)
      expect(() => openDataFolder(path)).toThrow(expect.objectContaining({ code: 'DATA_FOLDER_UNWRITABLE', message }))
    }
  })
})
