import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { openDataFolder } from './data-folder.ts'

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

  test('one that holds something else is refused and left alone', () => {
    writeFileSync(join(root, 'letter.txt'), 'dear')
    expect(() => openDataFolder(root)).toThrow(expect.objectContaining({ code: 'DATA_FOLDER_FOREIGN' }))
    expect(readFileSync(join(root, 'letter.txt'), 'utf8')).toBe('dear')
  })

  test('one of another layout is refused', () => {
    writeFileSync(join(root, 'switchyard.json'), '{"product":"switchyard","layout":99}')
    expect(() => openDataFolder(root)).toThrow('layout 99')
  })

  test('a path that is a file is named', () => {
    writeFileSync(join(root, 'file'), '')
    expect(() => openDataFolder(join(root, 'file'))).toThrow(expect.objectContaining({ code: 'DATA_FOLDER_UNWRITABLE' }))
  })
})
