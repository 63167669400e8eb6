import { randomUUID } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import confluent from '@kafkajs/confluent-schema-registry'
import { createEventCodec, PUBLISHED_SCHEMAS, publishedSchemaIds, type SwitchyardEvent } from '@switchyard/events'
import { openRegistrySchemaIds } from '@switchyard/schema-ids-registry'
import { describeWithServers } from '../support/real-servers.ts'
import { serverAddresses } from '../support/server-addresses.ts'

const registryUrl = (): string => serverAddresses().schemaRegistryUrl
const SUBJECT = 'switchyard.config.FeatureEnabled'
const event: SwitchyardEvent = { type: 'FeatureEnabled', data: { merchantId: 'm_1', feature: 'elimination', at: 1_700_000_000_000 } }

const published = (): { fields: object[] } => JSON.parse(PUBLISHED_SCHEMAS.findLast(({ subject }) => subject === SUBJECT)?.schema ?? '')
const registerVersion = async (schema: object): Promise<Response> =>
  await fetch(`${registryUrl()}/subjects/${SUBJECT}/versions`, {
    method: 'POST',
    headers: { 'content-type': 'application/vnd.schemaregistry.v1+json' },
    body: JSON.stringify({ schema: JSON.stringify(schema) }),
  })

describeWithServers('a real schema registry', () => {
  test('gives ids that a consumer outside resolves, and the same ones at every start', async () => {
    const ids = await openRegistrySchemaIds({ url: registryUrl() })
    const bytes = Buffer.from(createEventCodec(ids, { strict: true }).encode(event))
    expect({ ...(await new confluent.SchemaRegistry({ host: registryUrl() }).decode(bytes)) }).toEqual(event.data)
    expect(bytes.subarray(5)).toEqual(Buffer.from(createEventCodec(publishedSchemaIds(), { strict: true }).encode(event)).subarray(5))
    expect((await openRegistrySchemaIds({ url: registryUrl() })).idOf(SUBJECT)).toBe(ids.idOf(SUBJECT))
  })

  test('services that start at once register the same schemas, and get the same ids', async () => {
    const name = `Race${randomUUID().replaceAll('-', '')}`
    const schemas = ['A', 'B', 'C'].map((suffix, index) => ({
      id: index + 1,
      subject: `switchyard.test.${name}${suffix}`,
      version: 1,
      schema: JSON.stringify({ type: 'record', name: `${name}${suffix}`, namespace: 'switchyard.test', fields: [] }),
    }))
    const all = await Promise.all(Array.from({ length: 4 }, () => openRegistrySchemaIds({ url: registryUrl() }, schemas)))
    const [first] = schemas
    expect(new Set(all.map((ids) => ids.idOf(first?.subject ?? ''))).size).toBe(1)
  })

  describe('with the subjects of this release', () => {
    test('refuses a version that is not FULL_TRANSITIVE', async () => {
      await openRegistrySchemaIds({ url: registryUrl() })
      const schema = published()
      expect((await registerVersion({ ...schema, fields: [...schema.fields, { name: 'mandatory', type: 'string' }] })).status).toBe(409)
    })

    test('tells the schema of a later release, and its records are read as this release knows them', async () => {
      const ids = await openRegistrySchemaIds({ url: registryUrl() })
      const schema = published()
      const answer = await registerVersion({ ...schema, fields: [...schema.fields, { name: 'note', type: 'string', default: '' }] })
      const { id }: { id: number } = JSON.parse(await answer.text())
      const codec = createEventCodec(ids, { strict: true })
      const later = Buffer.concat([codec.encode(event), Buffer.from([2, 0x78])])
      later.writeUInt32BE(id, 1)
      expect(() => codec.decode(later)).toThrow(expect.objectContaining({ code: 'SCHEMA_UNKNOWN' }))
      await ids.learn([id, id + 100_000])
      expect(codec.decode(later)).toEqual(event)
      expect(ids.schemaOf(id + 100_000)).toBeUndefined()
    })
  })
})
