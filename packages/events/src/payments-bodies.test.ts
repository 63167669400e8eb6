import { describe, expect, test } from '@jest/globals'
import avro from 'avsc'
import fc from 'fast-check'
import { createEventCodec, EVENT_CATALOGUE, type PaymentsEvent, PUBLISHED_SCHEMAS, paymentsPartOf, publishedSchemaIds } from './index.ts'

const codec = createEventCodec(publishedSchemaIds(), { strict: false })
const NAMES = Object.entries(EVENT_CATALOGUE).flatMap(([name, { topic, subject }]) => (topic === 'payments' ? [{ name, subject }] : []))

/** Short and long, ASCII and not, empty; the same ones again and again, as merchants and gateways are. */
const text = fc.oneof(
  fc.constantFrom('', 'stripe', 'adyen', 'zürich', '支払い', 'x'.repeat(48), 'x'.repeat(49), `é${'x'.repeat(47)}`, 'y'.repeat(5_000)),
  fc.string({ maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
)
/** Beyond it the reference is not exact. */
const LONG_MAX = 2 ** 52
const primitives: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  string: text,
  boolean: fc.boolean(),
  int: fc.oneof(fc.integer(), fc.integer({ min: -130, max: 130 })),
  long: fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -70, max: 70 })).map((value) => value % LONG_MAX),
  double: fc.double(),
}

/** What the library says of a type, by its kind. */
interface TypeParts {
  readonly fields: readonly { readonly name: string; readonly type: avro.Type }[]
  readonly types: readonly [avro.Type, avro.Type]
  readonly itemsType: avro.Type
  readonly valuesType: avro.Type
  readonly symbols: readonly string[]
}

/** Random data of a type, as its schema says. */
const dataOf = (type: avro.Type): fc.Arbitrary<unknown> => {
  const parts = type as unknown as TypeParts
  switch (type.typeName) {
    case 'record':
      return fc.record(Object.fromEntries(parts.fields.map(({ name, type: field }) => [name, dataOf(field)])))
    case 'union:unwrapped':
      return fc.option(dataOf(parts.types[1]))
    case 'array':
      return fc.array(dataOf(parts.itemsType), { maxLength: 5 })
    case 'map':
      return fc.dictionary(
        fc.string({ minLength: 1 }).filter((key) => key !== '__proto__'),
        dataOf(parts.valuesType),
        { maxKeys: 5, noNullPrototype: true },
      )
    case 'enum':
      return fc.constantFrom(...parts.symbols)
    default: {
      const primitive = primitives[type.typeName]
      if (primitive === undefined) throw new Error(`no values for ${type.typeName}`)
      return primitive
    }
  }
}

/** Changes some bytes behind the frame, and may cut the body off. */
const damages: fc.Arbitrary<(whole: Uint8Array) => Uint8Array> = fc
  .tuple(
    fc.array(fc.tuple(fc.nat(), fc.oneof(fc.constantFrom(0, 1, 2, 127, 128, 255), fc.nat(255))), { maxLength: 4 }),
    fc.option(fc.nat()),
  )
  .map(([changes, cut]) => (whole) => {
    const bytes = Uint8Array.from(whole)
    for (const [place, byte] of changes) bytes[5 + (place % (bytes.length - 5))] = byte
    return bytes.subarray(0, cut === null ? bytes.length : 5 + (cut % (bytes.length - 5)))
  })

const attempt = <Value>(read: () => Value): { readonly value?: Value; readonly error?: unknown } => {
  try {
    return { value: read() }
  } catch (error) {
    return { error }
  }
}

const eventsOf = ({ name, subject }: (typeof NAMES)[number]) => {
  const published = PUBLISHED_SCHEMAS.findLast((one) => one.subject === subject)
  const type = avro.Type.forSchema(JSON.parse(published?.schema ?? ''), { omitRecordMethods: true })
  const reference = (bytes: Uint8Array): unknown => type.fromBuffer(Buffer.from(bytes.subarray(5)))
  return { id: published?.id ?? 0, type, reference, events: dataOf(type).map((data) => ({ type: name, data }) as PaymentsEvent) }
}

describe.each(NAMES)('the generated code of $name', (named) => {
  const { id, type, reference, events } = eventsOf(named)

  test('writes the bytes that the schema gives, and reads them', () => {
    fc.assert(
      fc.property(events, (event) => {
        const bytes = codec.encode(event)
        const frame = Buffer.alloc(5)
        frame.writeUInt32BE(id, 1)
        expect(Buffer.compare(bytes, Buffer.concat([frame, type.toBuffer(event.data)]))).toBe(0)
        expect(codec.decode(bytes)).toEqual(event)
        expect(codec.decode(new Uint8Array(bytes))).toEqual({ type: named.name, data: reference(bytes) })
      }),
      { numRuns: 300 },
    )
  })

  test('what comes again and again, in whatever order, is written as it was', () => {
    const comings = fc.tuple(fc.array(events, { minLength: 1, maxLength: 20 }), fc.array(fc.nat(), { minLength: 100, maxLength: 300 }))
    fc.assert(
      fc.property(comings, ([all, order]) => {
        const bodies = all.map(({ data }) => type.toBuffer(data))
        for (const number of order) {
          const index = number % all.length
          expect(Buffer.compare(codec.encode(all[index] as PaymentsEvent).subarray(5), bodies[index] ?? Buffer.alloc(0))).toBe(0)
        }
      }),
      { numRuns: 20 },
    )
  })

  test('bytes that were changed or cut are unreadable, or say what the schema reads in them', () => {
    fc.assert(
      fc.property(events, damages, (event, damage) => {
        const bytes = damage(codec.encode(event))
        const read = attempt(() => codec.decode(bytes))
        if (read.value === undefined) expect(read.error).toMatchObject({ code: 'RECORD_UNREADABLE' })
        else {
          reference(bytes)
          expect(codec.decode(codec.encode(read.value))).toEqual(read.value)
        }
      }),
      { numRuns: 1_000 },
    )
  })

  test('the part says what the whole says, of bytes that were changed or cut, too', () => {
    fc.assert(
      fc.property(events, fc.option(damages), (event, damage) => {
        const bytes = damage === null ? codec.encode(event) : damage(codec.encode(event))
        const [whole, part] = [attempt(() => codec.decode(bytes)), attempt(() => codec.decodePart(bytes))]
        expect(part.error).toEqual(whole.error)
        const said = new Map<string, unknown>(Object.entries(whole.value?.data ?? {}))
        for (const [field, value] of Object.entries(part.value?.data ?? {})) expect(value).toEqual(said.get(field))
      }),
      { numRuns: 1_000 },
    )
  })

  test('the part of an event at hand is what reading it from its bytes gives', () => {
    fc.assert(fc.property(events, (event) => expect(paymentsPartOf(event)).toEqual(codec.decodePart(codec.encode(event)))))
  })

  test('what does not fit its type is refused', () => {
    const wrong = fc.constantFrom<unknown>(undefined, Symbol('none'), { strange: true })
    fc.assert(
      fc.property(events, fc.nat(), wrong, (event, nth, value) => {
        const fields = Object.keys(event.data)
        const field = fields[nth % fields.length] ?? ''
        expect(() => codec.encode({ ...event, data: { ...event.data, [field]: value } } as PaymentsEvent)).toThrow(/./)
      }),
    )
  })
})

test('whole numbers are exact as far as they can be', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (at) => {
      const event: PaymentsEvent = { type: 'ApiKeysUsed', data: { merchantId: 'm', requestId: 'r', at, keyIds: [] } }
      expect(codec.decode(codec.encode(event))).toEqual(event)
    }),
  )
})

test('a body larger than what is shared gets room of its own, and those beside it stay as they are', () => {
  const event = (paymentId: string): PaymentsEvent => ({
    type: 'ApiKeysUsed',
    data: { merchantId: 'm', requestId: paymentId, at: 1, keyIds: [paymentId, 'x'.repeat(200_000), paymentId] },
  })
  const small = (paymentId: string): PaymentsEvent =>
    ({ ...event(paymentId), data: { ...event(paymentId).data, keyIds: [] } }) as PaymentsEvent
  const events = Array.from({ length: 3_000 }, (_, i) => (i % 500 === 7 ? event(`large_${i}`) : small(`small_${i}`)))
  const encoded = events.map((one) => codec.encode(one))
  expect(encoded.map((bytes) => codec.decode(bytes))).toEqual(events)
})
