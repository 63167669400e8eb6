import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { paymentProjections } from '@switchyard/composition'
import { publishedSchemaIds } from '@switchyard/events'
import type { SchemaIds } from '@switchyard/kernel'
import { changeGenerations, DEAD_LETTERS_COLLECTION, inGeneration, readGenerations } from '@switchyard/runtime'
import { switchyard } from '../support/operator.ts'
import { documentsOf, projectAnew } from '../support/replay.ts'
import { temporaryFolder } from '../support/server.ts'
import { createDataFolder, openData, paymentRecords, project } from './stored-payments.ts'

const folder = temporaryFolder()
const dataDir = join(folder.path, 'data')
afterAll(() => folder.remove())

/** What a release knows that was built before the schema of outcomes was published. */
const ofEarlierRelease = (): SchemaIds => {
  const ids = publishedSchemaIds()
  const unknown = ids.idOf('switchyard.payments.OutcomeRecorded')
  return { ...ids, schemaOf: (id) => (id === unknown ? undefined : ids.schemaOf(id)) }
}

/** Bytes that no release will ever read. */
const POISON = { key: 'm_0', value: Uint8Array.of(0, 0, 0, 0, 1, 255), headers: { id: 'e_poison', type: 'switchyard.payments.Broken' } }

/** The read models are those that this release makes of the log. */
const expectAllProjected = async (path: string): Promise<void> => {
  const { log, store, close } = openData(path)
  const { current } = await readGenerations(store, 'payments')
  const own = inGeneration(store, () => current)
  const anew = await projectAnew(log)
  for (const { name } of paymentProjections) expect(await documentsOf(own, name)).toEqual(await documentsOf(anew.store, name))
  await close()
}

beforeAll(async () => {
  await createDataFolder(dataDir, 40)
  const { log, store, close } = openData(dataDir)
  await log.append('payments', [POISON])
  await log.append('payments', paymentRecords(40, 40))
  await project(log, store, ofEarlierRelease())
  await close()
}, 60_000)

test('dead letters are listed, and one is shown with its bytes', async () => {
  const { code, lines, errors } = await switchyard(dataDir, 'dead-letters', 'list', '--topic', 'payments', '--limit', '5')
  expect({ code, count: lines.length, errors }).toEqual({ code: 0, count: 5, errors: '5 of 41 dead letters\n' })
  expect((await switchyard(dataDir, 'dead-letters', 'list', '--topic', 'config')).errors).toBe('0 dead letters\n')
  const [, partition = '', offset = ''] = lines[0]?.split(/\s+/) ?? []
  const shown = await switchyard(dataDir, 'dead-letters', 'show', 'payments', partition, offset)
  expect(JSON.parse(shown.lines.join('\n'))).toMatchObject({
    topic: 'payments',
    partition: Number(partition),
    offset: Number(offset),
    type: 'switchyard.payments.OutcomeRecorded',
    reason: 'SCHEMA_UNKNOWN',
    schemaId: publishedSchemaIds().idOf('switchyard.payments.OutcomeRecorded'),
    bytes: expect.stringMatching(/^AAAAA/),
  })
  expect(await switchyard(dataDir, 'dead-letters', 'show', 'payments', '0', '999999')).toMatchObject({ code: 1 })
})

describe('dead-letters retry', () => {
  const restart = /processes that run pass them by until they are restarted/

  test('lets what can be read now take effect in its place, keeps what can not, and did not say that processes have to be restarted', async () => {
    const { code, lines, errors } = await switchyard(dataDir, 'dead-letters', 'retry')
    expect(code).toBe(1)
    expect(lines.at(-1)).toBe('40 dead letters took effect, 1 are left')
    expect(errors).toMatch(/payments: 40 can be read now and take effect by a rebuild/)
    expect(errors).toMatch(restart)
    expect(errors).toMatch(/payments \d \d+ still can't be read: RECORD_UNREADABLE/)

    await expectAllProjected(dataDir)
    const { store, close } = openData(dataDir)
    expect((await documentsOf(store, DEAD_LETTERS_COLLECTION)).size).toBe(1)
    await close()
  }, 60_000)

  test('does nothing when nothing has changed', async () => {
    const { lines, errors } = await switchyard(dataDir, 'dead-letters', 'retry')
    expect(lines).toEqual(['0 dead letters took effect, 1 are left'])
    expect(errors).not.toMatch(restart)
  })
})

test('a rebuild that could not read all records ended as if it had: now it says so, exit code 1', async () => {
  const { code, lines, errors } = await switchyard(dataDir, 'rebuild', 'payments')
  expect(code).toBe(1)
  expect(lines.at(-1)).toMatch(/^payments: generation \d is read from now on$/)
  expect(errors).toMatch(/^payments: 1 dead letter is left: dead-letters list names it$/m)
}, 60_000)

test.each(['dead-letters retry', 'rebuild payments'])(
  '%s does not go on with what an earlier release has begun, which could not read them',
  async (command) => {
    const path = join(folder.path, command.replace(' ', '-'))
    await createDataFolder(path, 40)
    const { log, store, close } = openData(path)
    await project(log, store, ofEarlierRelease())
    await changeGenerations(store, 'payments', ({ current }) => ({ current, building: 2, stored: [current, 2] }))
    await project(
      log,
      inGeneration(store, () => 2),
      ofEarlierRelease(),
    )
    await close()

    expect(await switchyard(path, ...command.split(' '))).toMatchObject({ code: 0 })
    expect((await switchyard(path, 'dead-letters', 'list')).errors).toBe('0 dead letters\n')
    await expectAllProjected(path)
  },
  60_000,
)
