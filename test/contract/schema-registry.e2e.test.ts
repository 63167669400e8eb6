import { describe, expect, test } from '@jest/globals'
import confluent from '@kafkajs/confluent-schema-registry'
import { createEventCodec, PUBLISHED_SCHEMAS, publishedSchemaIds, type SwitchyardEvent } from '@switchyard/events'
import { openRegistrySchemaIds } from '@switchyard/schema-ids-registry'
import { addressOf, describeReal } from '../support/real-broker.ts'

const URL = addressOf('SWITCHYARD_TEST_SCHEMA_REGISTRY_URL')
const SUBJECT = 'switchyard.config.FeatureEnabled'
const event: SwitchyardEvent = { type: 'FeatureEnabled', data: { merchantId: 'm_1', feature: 'elimination', at: 1_700_000_000_000 } }

const published = (): { fields: object[] } => JSON.parse(PUBLISHED_SCHEMAS.findLast(({ subject }) => subject === SUBJECT)?.schema ?? '')
const registerVersion = async (schema: object): Promise<Response> =>
  await fetch(`${URL}/subjects/${SUBJECT}/versions`, {
    method: 'POST',
    headers: { 'content-type': 'application/vnd.schemaregistry.v1+json' },
    body: JSON.stringify({ schema: JSON.stringify(schema) }),
  })

describeReal('a real schema registry', () => {
  test('gives ids that a consumer outside resolves, and the same ones at every start', async () => {
    const ids = await openRegistrySchemaIds({ url: URL })
    const bytes = Buffer.from(createEventCodec(ids, { strict: true }).encode(event))
    expect({ ...(await new confluent.SchemaRegistry({ host: URL }).decode(bytes)) }).toEqual(event.data)
    expect(bytes.subarray(5)).toEqual(Buffer.from(createEventCodec(publishedSchemaIds(), { strict: true }).encode(event)).subarray(5))
    expect((await openRegistrySchemaIds({ url: URL })).idOf(SUBJECT)).toBe(ids.idOf(SUBJECT))
  })

  describe('with the subjects of this release', () => {
    test('refuses a version that is not FULL_TRANSITIVE', async () => {
      await openRegistrySchemaIds({ url: URL })
      const schema = published()
      expect((await registerVersion({ ...schema, fields: [...schema.fields, { name: 'mandatory', type: 'string' }] })).status).toBe(409)
    })

    test('tells the schema of a later release, and its records are read as this release knows them', async () => {
      const ids = await openRegistrySchemaIds({ url: URL })
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
