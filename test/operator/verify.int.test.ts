import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { paymentProjections } from '@switchyard/composition'
import type { DocumentKey, DocumentWrite, Position } from '@switchyard/kernel'
import { startSwitchyard, switchyard } from '../support/operator.ts'
import { temporaryFolder } from '../support/server.ts'
import { closingRecord, createDataFolder, openData, project } from './stored-payments.ts'

const EVENT_COUNT = 2_000
const folder = temporaryFolder()
const dataDir = join(folder.path, 'data')
afterAll(() => folder.remove())

beforeAll(async () => {
  await createDataFolder(dataDir, EVENT_COUNT)
  const { log, store, close } = openData(dataDir)
  await project(log, store)
  await close()
}, 60_000)

/** Puts a document there whatever stands there: positions of two partitions have no order. */
const planted = (collection: string, key: DocumentKey, position: Position, body: object | null): readonly DocumentWrite[] => [
  { collection, key, position: { partition: position.partition + 1, offset: 0 }, body },
  { collection, key, position, body },
]

const firstKey = async (collection: string): Promise<DocumentKey> => {
  const { store, close } = openData(dataDir)
  const [document] = await store.range({ collection, prefix: [], order: 'ascending', limit: 1 })
  await close()
  return document?.key ?? []
}

/** Runs `check` with the first document of the collection changed, and puts it back. */
const withChanged = async (
  collection: string,
  change: (body: object, position: Position) => { readonly body: object | null; readonly position: Position },
  check: (key: DocumentKey) => Promise<void>,
): Promise<void> => {
  const key = await firstKey(collection)
  const write = async (
    make: (body: object, position: Position) => { readonly body: object | null; readonly position: Position },
    from?: object,
  ) => {
    const { store, close } = openData(dataDir)
    const stored = await store.get<object>(collection, key)
    const position = stored?.position ?? { partition: 0, offset: 0 }
    const next = make(from ?? stored?.body ?? {}, position)
    await store.write(planted(collection, key, next.position, next.body))
    await close()
    return { body: stored?.body ?? {}, position }
  }
  const before = await write(change)
  await check(key)
  await write(() => before)
}

describe('switchyard verify', () => {
  test('where no temporary file can be made says so, and what to set: it was told as a fault of the program', async () => {
    const missing = join(folder.path, 'missing')
    const { code, lines, errors } = await startSwitchyard(['verify', 'payments'], { SWITCHYARD_DATA_DIR: dataDir, TMPDIR: missing }).ended
    expect({ code, lines }).toEqual({ code: 2, lines: [] })
    expect(errors).toMatch(
      /^switchyard: a copy of the read models can't be kept in .*missing; name another folder in TMPDIR: ENOENT: no such file or directory, .*\n$/,
    )
  })

  test('finds nothing where nothing is wrong', async () => {
    for (const projection of ['payments', 'minute-rollups-v1']) {
      expect(await switchyard(dataDir, 'verify', projection)).toMatchObject({ code: 0, lines: [expect.stringMatching(/, 0 differ$/)] })
    }
  }, 120_000)

  test('says that nothing is stored where nothing is', async () => {
    const { code, errors } = await switchyard(dataDir, 'verify', 'config')
    expect({ code, errors }).toEqual({ code: 2, errors: expect.stringContaining('nothing of config is stored yet') })
  })

  test('lists a document whose figures are wrong, with the members that differ', async () => {
    const change = (body: object, position: Position) => ({ body: { ...body, decisionCount: 99 }, position })
    await withChanged('minute-rollups-v1', change, async (key) => {
      for (const projection of ['minute-rollups-v1', 'payments']) {
        const { code, lines } = await switchyard(dataDir, 'verify', projection)
        expect(code).toBe(1)
        expect(lines).toEqual([`different minute-rollups-v1 ${JSON.stringify(key)}: decisionCount`, expect.stringMatching(/, 1 differ$/)])
      }
      expect(await switchyard(dataDir, 'verify', 'score-rollups-v1')).toMatchObject({ code: 0 })
    })
  }, 120_000)

  test('lists a document that is missing', async () => {
    await withChanged(
      'payment-timelines-v3',
      (_body, position) => ({ body: null, position }),
      async (key) => {
        const { code, lines } = await switchyard(dataDir, 'verify', 'payments')
        expect({ code, first: lines[0] }).toEqual({ code: 1, first: `missing payment-timelines-v3 ${JSON.stringify(key)}` })
      },
    )
  })

  test('lists a document that says it is ahead of the log, and one of another partition', async () => {
    for (const position of [(at: Position) => ({ ...at, offset: 1_000_000 }), () => ({ partition: 9, offset: 3 })]) {
      await withChanged(
        'score-rollups-v1',
        (body, at) => ({ body, position: position(at) }),
        async (key) => {
          const { code, lines } = await switchyard(dataDir, 'verify', 'score-rollups-v1')
          expect({ code, first: lines[0] }).toEqual({ code: 1, first: `ahead-of-the-log score-rollups-v1 ${JSON.stringify(key)}` })
        },
      )
    }
  }, 120_000)

  test('misses no document of a merchant that was closed behind what is stored', async () => {
    const { log, store, close } = openData(dataDir)
    const [position = { partition: 0, offset: 0 }] = await log.append('payments', [closingRecord('m_1')])
    // As a projector has it between the removal and the note of how far it came.
    for (const { name: collection } of paymentProjections) {
      const own = await store.range({ collection, prefix: ['m_1'], order: 'ascending', limit: 1_000 })
      await store.write(own.map(({ key }) => ({ collection, key, position, body: null })))
    }
    await close()
    const { code, lines } = await switchyard(dataDir, 'verify', 'payments')
    expect({ code, lines }).toEqual({ code: 0, lines: [expect.stringMatching(/, 0 differ$/)] })
  })

  test('lists a document that no event gave, and counts what it does not list', async () => {
    const { store, close } = openData(dataDir)
    const keys = Array.from({ length: 30 }, (_, i): DocumentKey => ['m_none', 'live', `p_${i}`])
    const body = { lookupKey: 'p' }
    await store.write(keys.map((key) => ({ collection: 'payment-timelines-v3', key, position: { partition: 0, offset: 0 }, body })))
    await close()
    const { code, lines } = await switchyard(dataDir, 'verify', 'payment-timelines-v3')
    expect(code).toBe(1)
    expect(lines).toHaveLength(21)
    expect(lines[0]).toMatch(/^(unexpected|ahead-of-the-log) payment-timelines-v3 \["m_none","live","p_0"\]/)
    expect(lines.at(-1)).toMatch(/, 30 differ$/)
  })

  test('a rebuild repairs all of it', async () => {
    expect(await switchyard(dataDir, 'rebuild', 'payment-timelines-v3')).toMatchObject({ code: 0 })
    expect(await switchyard(dataDir, 'verify', 'payments')).toMatchObject({ code: 0 })
  })
})
