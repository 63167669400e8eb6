import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import type { DeclaredIndex } from '@switchyard/kernel'
import { createEmbeddedStore } from './embedded-store.ts'
import { SETTLED_PAGE_COUNT } from './limits.ts'

const DOCUMENT_COUNT = SETTLED_PAGE_COUNT * 2 + 1
const BY_SIZE: DeclaredIndex = { name: 'by-size', fields: ['size'] }
const BY_COLOUR: DeclaredIndex = { name: 'by-colour', fields: ['colour', 'size'] }

describe('indexes that are declared differently when a filled store is opened again', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'switchyard-indexes-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const open = (indexes: readonly DeclaredIndex[]) =>
    createEmbeddedStore({ folder: join(folder, 'store'), role: 'writer', collections: [{ name: 'c-v1', indexes }] })
  const keysBy = async (store: ReturnType<typeof open>, index: DeclaredIndex): Promise<readonly unknown[]> =>
    (await store.range({ collection: 'c-v1', index: index.name, prefix: [], order: 'ascending', limit: DOCUMENT_COUNT })).map(
      ({ key }) => key[0],
    )

  test('are filled, and follow later writes', async () => {
    const before = open([BY_SIZE])
    const documents = Array.from({ length: DOCUMENT_COUNT }, (_, number) => ({
      collection: 'c-v1',
      key: [number],
      position: { partition: 0, offset: number },
      body: { size: DOCUMENT_COUNT - number, colour: number % 2 === 0 ? 'red' : 'blue', bytes: new Uint8Array([number]) },
    }))
    await before.write(documents)
    await before.close()

    const after = open([BY_COLOUR])
    const reds = documents.filter(({ body }) => body.colour === 'red').map(({ key }) => key[0])
    const blues = documents.filter(({ body }) => body.colour === 'blue').map(({ key }) => key[0])
    expect(await keysBy(after, BY_COLOUR)).toEqual([...blues.toReversed(), ...reds.toReversed()])
    const moved = { collection: 'c-v1', key: [0], position: { partition: 0, offset: DOCUMENT_COUNT }, body: { size: 0, colour: 'blue' } }
    await after.write([moved])
    expect(await keysBy(after, BY_COLOUR)).toEqual([0, ...blues.toReversed(), ...reds.slice(1).toReversed()])
    expect((await after.get('c-v1', [1]))?.body).toEqual(documents[1]?.body)
    await after.close()
  })
})
