import { mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { createEmbeddedStore } from './embedded-store.ts'

describe('the folder of an embedded read store', () => {
  let folder = ''
  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'switchyard-folder-')), 'store')
  })
  afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }))

  const open = (role: 'writer' | 'reader') => createEmbeddedStore({ folder, role, collections: [{ name: 'c-v1', indexes: [] }] })

  test.each([
    ['another product', '{"product":"other","content":"read-store","format":1}'],
    ['an event log', '{"product":"switchyard","content":"event-log","format":1}'],
    ['a later format', '{"product":"switchyard","content":"read-store","format":3}'],
    ['a format that is none', '{"product":"switchyard","content":"read-store","format":0}'],
    ['no JSON', 'oops'],
  ])('with a description of %s is left alone', (_, description) => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'switchyard.json'), description)
    expect(() => open('writer')).toThrow(expect.objectContaining({ code: 'DATA_FOLDER_FOREIGN', retryable: false }))
    expect(readdirSync(folder)).toEqual(['switchyard.json'])
  })

  test('that holds other files is left alone, and one that can not be created is named', () => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'thesis.txt'), 'years of work')
    expect(() => open('writer')).toThrow(expect.objectContaining({ code: 'DATA_FOLDER_FOREIGN' }))
    expect(readdirSync(folder)).toEqual(['thesis.txt'])
    folder = join(folder, 'thesis.txt')
    expect(() => open('writer')).toThrow(expect.objectContaining({ code: 'DATA_FOLDER_UNWRITABLE' }))
    folder = join(folder, '..')
  })

  test('that is the root of a mounted volume was refused for the lost+found in it', async () => {
    mkdirSync(join(folder, 'lost+found'), { recursive: true })
    await open('writer').close()
    await open('writer').close()
    expect(readdirSync(folder)).toContain('lost+found')
  })

  test('with a lost+found beside other files is left alone', () => {
    mkdirSync(join(folder, 'lost+found'), { recursive: true })
    writeFileSync(join(folder, 'thesis.txt'), 'years of work')
    expect(() => open('writer')).toThrow('it holds other files (thesis.txt)')
  })

  test('of an earlier format begins anew, to be filled again from the log', async () => {
    mkdirSync(join(folder, 'documents'), { recursive: true })
    writeFileSync(join(folder, 'switchyard.json'), '{"product":"switchyard","content":"read-store","format":1}')
    writeFileSync(join(folder, 'documents', 'data.mdb'), 'rows of another form')
    await open('writer').close()
    expect(readdirSync(folder).toSorted()).toEqual(['documents.v2', 'switchyard.json'])
    await open('writer').close()
  })

  test('with a copy of the documents that broke off is named, and what to do', async () => {
    const writer = open('writer')
    await writer.write([{ collection: 'c-v1', key: ['a'], position: { partition: 0, offset: 1 }, body: { text: 'x'.repeat(50_000) } }])
    await writer.close()
    truncateSync(join(folder, 'documents.v2', 'data.mdb'), 20_000)
    const cause = expect.objectContaining({ message: expect.stringMatching(/data\.mdb is cut off: .*; remove .*: it is filled again/) })
    expect(() => open('reader')).toThrow(expect.objectContaining({ code: 'STORE_UNAVAILABLE', cause }))
  })

  test('may be opened by a reader first; it sees what a writer writes, and writes nothing itself', async () => {
    const reader = open('reader')
    const writer = open('writer')
    const write = { collection: 'c-v1', key: ['a'], position: { partition: 0, offset: 1 }, body: { n: 1 } }
    await expect(reader.write([write])).rejects.toThrow('only reads')
    await writer.write([write])
    expect((await reader.get('c-v1', ['a']))?.body).toEqual({ n: 1 })
    await reader.close()
    expect((await writer.get('c-v1', ['a']))?.body).toEqual({ n: 1 })
    await writer.close()
  })
})
