import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { createEventCodec, PUBLISHED_SCHEMAS, publishedSchemaIds, type SwitchyardEvent } from '@switchyard/events'
import { isOperatingError, type NewRecord } from '@switchyard/kernel'
import { createMemoryLog } from '@switchyard/log-memory'
import { learningLog, openRegistrySchemaIds } from './index.ts'
import { REGISTRATION_RACES_MAX } from './limits.ts'
import { type LocalRegistry, openLocalRegistry } from './local-registry.fixture.ts'

const SUBJECT = 'switchyard.config.FeatureEnabled'
const event: SwitchyardEvent = { type: 'FeatureEnabled', data: { merchantId: 'm_1', feature: 'elimination', at: 1_700_000_000_000 } }

const published = (subject: string): string => PUBLISHED_SCHEMAS.findLast((entry) => entry.subject === subject)?.schema ?? ''

/** The schema of a later release: one more field. */
const laterSchema = (): string => {
  const schema = JSON.parse(published(SUBJECT))
  return JSON.stringify({ ...schema, fields: [...schema.fields, { name: 'note', type: 'string', default: '' }] })
}

/** The first ones: a registry of our own numbers them as the committed files do. With all of them each test would take a second. */
const FEW: typeof PUBLISHED_SCHEMAS = PUBLISHED_SCHEMAS.filter(({ id }) => id <= 12)

let registry: LocalRegistry

beforeEach(async () => {
  registry = await openLocalRegistry()
})
afterEach(async () => await registry.close())

const opened = async (awayMaxMs = 1_000, schemas = FEW) => await openRegistrySchemaIds({ url: registry.url, awayMaxMs }, schemas)

describe('at the start', () => {
  test('a registry of our own gives the committed ids, so that the bytes are those of the embedded engine', async () => {
    const ids = await opened(1_000, PUBLISHED_SCHEMAS)
    expect(ids.agreesWithPublished).toBe(true)
    const [here, embedded] = [ids, publishedSchemaIds()].map((each) => createEventCodec(each, { strict: true }).encode(event))
    expect(here).toEqual(embedded)
  })

  test('every subject is FULL_TRANSITIVE, and a second start finds the same ids', async () => {
    const first = await opened()
    const subjects = new Set(FEW.map(({ subject }) => subject))
    expect([...registry.compatibilityOf]).toEqual([...subjects].map((subject) => [subject, 'FULL_TRANSITIVE']))
    const second = await opened()
    for (const subject of subjects) expect(second.idOf(subject)).toBe(first.idOf(subject))
  })

  test('a second start asks for what it needs, registers nothing and sets no level', async () => {
    await opened()
    const before = registry.requests.length
    await opened()
    const asked = registry.requests.slice(before)
    expect(asked.length).toBe(2 * FEW.length)
    expect(asked.filter((request) => request.startsWith('PUT') || request.endsWith('/versions'))).toEqual([])
  })

  test('a release with one more schema registers that one alone', async () => {
    await opened()
    const before = registry.requests.length
    const later = { id: FEW.length + 1, subject: SUBJECT, version: 2, schema: laterSchema() }
    const ids = await openRegistrySchemaIds({ url: registry.url }, [later, ...FEW])
    const isRegistration = (request: string): boolean => request.endsWith('/versions')
    expect(registry.requests.slice(before).filter(isRegistration)).toEqual([`POST /subjects/${SUBJECT}/versions`])
    expect(ids.schemaOf(ids.idOf(SUBJECT))?.schema).toBe(laterSchema())
  })

  test('a registry that others use gives other ids: they stand in the frame, the rest of the bytes is the same', async () => {
    registry.add('{"type":"record","name":"Other","fields":[]}')
    const ids = await opened()
    expect(ids.agreesWithPublished).toBe(false)
    const codec = createEventCodec(ids, { strict: true })
    const bytes = codec.encode(event)
    const embedded = createEventCodec(publishedSchemaIds(), { strict: true }).encode(event)
    expect(Buffer.from(bytes).readUInt32BE(1)).toBe(ids.idOf(SUBJECT))
    expect(bytes.subarray(5)).toEqual(embedded.subarray(5))
    expect(codec.decode(bytes)).toEqual(event)
  })

  test('a subject with another compatibility is refused', async () => {
    await opened()
    await fetch(`${registry.url}/config/${SUBJECT}`, { method: 'PUT', body: '{"compatibility":"NONE"}' })
    await expect(opened()).rejects.toMatchObject({ code: 'SETTING_INVALID', message: expect.stringContaining(SUBJECT) })
  })

  test.each([1, 2, 3, 4])(
    'a process that ends when %s of its requests are answered leaves nothing that the next one is refused for',
    async (count) => {
      registry.setAwayAfter(count)
      await expect(opened(0)).rejects.toMatchObject({ code: 'SCHEMA_UNAVAILABLE' })
      registry.setAway(false)
      expect((await opened()).agreesWithPublished).toBe(true)
    },
  )

  test('a registry that knows no level of a subject without schemas gets it behind the first one', async () => {
    registry.refuseEarlyLevels()
    const ids = await opened()
    expect(ids.agreesWithPublished).toBe(true)
    expect(new Set(registry.compatibilityOf.values())).toEqual(new Set(['FULL_TRANSITIVE']))
    expect(registry.compatibilityOf.size).toBe(new Set(FEW.map(({ subject }) => subject)).size)
  })

  test('conflicts with processes that register the same schemas are no refusal, however long they took', async () => {
    registry.setConflicts(REGISTRATION_RACES_MAX)
    expect((await opened(0)).agreesWithPublished).toBe(true)
  })

  test('a conflict that stays is refused in the words of the registry', async () => {
    registry.setConflicts(Number.POSITIVE_INFINITY)
    await expect(opened()).rejects.toMatchObject({ code: 'SETTING_INVALID', message: expect.stringContaining('already exists') })
  })

  test('a registry that is away is waited for, within a bound', async () => {
    registry.setAway(true)
    await expect(opened(300)).rejects.toMatchObject({ code: 'SCHEMA_UNAVAILABLE', retryable: true })
    const opening = opened(20_000)
    setTimeout(() => registry.setAway(false), 200)
    expect((await opening).agreesWithPublished).toBe(true)
  })

  test('a subject that was never published is named', async () => {
    const ids = await opened()
    expect(() => ids.idOf('switchyard.config.Nothing')).toThrow('switchyard.config.Nothing')
  })
})

describe('an id that is not known', () => {
  const recordOf = (id: number, body: Uint8Array): NewRecord => {
    const value = Buffer.concat([Buffer.from([0, 0, 0, 0, 0]), body])
    value.writeUInt32BE(id, 1)
    return { key: 'm_1', value, headers: { id: `e_${id}`, type: SUBJECT } }
  }
  const body = (): Uint8Array => createEventCodec(publishedSchemaIds(), { strict: true }).encode(event).subarray(5)

  /** What a tail of these records decodes, or the code of the failure. */
  const tailed = async (ids: Awaited<ReturnType<typeof opened>>, records: readonly NewRecord[]): Promise<readonly unknown[]> => {
    const memory = createMemoryLog({ partitionCount: 1 })
    const log = learningLog(memory, ids)
    const codec = createEventCodec(ids, { strict: true })
    await log.append('config', records)
    const results: unknown[] = []
    await new Promise<void>((resolve) => {
      log.subscribe({
        topic: 'config',
        from: new Map(),
        handle: (batch) => {
          for (const { value } of batch) {
            try {
              results.push(codec.decode(value))
            } catch (error) {
              results.push(isOperatingError(error) ? error.code : error)
            }
          }
          if (results.length === records.length) resolve()
        },
        onFailure: (error) => {
          results.push(isOperatingError(error) ? `failed: ${error.code}` : error)
          resolve()
        },
      })
    })
    await log.close()
    return results
  }

  test('is looked up, once, and its record read as this release knows it', async () => {
    const ids = await opened()
    const id = registry.add(laterSchema())
    const before = registry.requests.length
    const later = Buffer.concat([body(), Buffer.from([2, 0x78])])
    expect(await tailed(ids, [recordOf(id, later), recordOf(id, later)])).toEqual([event, event])
    expect(registry.requests.slice(before)).toEqual([`GET /schemas/ids/${id}`])
  })

  test('is asked for again where an instance of the registry has not heard of it yet: its records were unreadable for a minute', async () => {
    const ids = await opened()
    const id = registry.add(laterSchema())
    registry.setBehind(2)
    expect(await tailed(ids, [recordOf(id, Buffer.concat([body(), Buffer.from([0])]))])).toEqual([event])
  })

  test('that the registry does not have makes its records unreadable, and the others go on', async () => {
    const ids = await opened()
    const own = ids.idOf(SUBJECT)
    expect(await tailed(ids, [recordOf(4_000, body()), recordOf(own, body())])).toEqual(['SCHEMA_UNKNOWN', event])
  })

  test('that no registry gives is not asked for: some would answer as if they were away, and hold up every reader', async () => {
    const ids = await opened(300)
    registry.setAway(true)
    const records = [recordOf(0xffff_ffff, body()), recordOf(ids.idOf(SUBJECT), body())]
    expect(await tailed(ids, records)).toEqual(['SCHEMA_UNKNOWN', event])
  })

  test('of a schema that can not be resolved makes its records unreadable, and the others go on', async () => {
    const ids = await opened()
    const id = registry.add(JSON.stringify({ type: 'record', name: 'FeatureEnabled', namespace: 'switchyard.config', fields: [] }))
    const foreign = registry.add('{"type":"record","name":"Other","fields":[]}')
    const broken = registry.add('syntax = "proto3";')
    const own = ids.idOf(SUBJECT)
    const records = [id, foreign, broken, own].map((each) => recordOf(each, body()))
    expect(await tailed(ids, records)).toEqual(['RECORD_UNREADABLE', 'RECORD_UNREADABLE', 'SCHEMA_UNKNOWN', event])
  })

  test('is waited for while the registry is away: nothing is passed by', async () => {
    const ids = await opened(20_000)
    const id = registry.add(laterSchema())
    registry.setAway(true)
    setTimeout(() => registry.setAway(false), 200)
    expect(await tailed(ids, [recordOf(id, Buffer.concat([body(), Buffer.from([0])]))])).toEqual([event])
  })

  test('ends the tail when the registry stays away, by name', async () => {
    const ids = await opened(300)
    registry.setAway(true)
    expect(await tailed(ids, [recordOf(4_000, body())])).toEqual(['failed: SCHEMA_UNAVAILABLE'])
  })
})
