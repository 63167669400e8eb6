import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { splitUpload } from './split-upload.ts'

const LONGEST = 60

const split = async (
  pieces: readonly string[] | readonly Buffer[],
  isCut = false,
  longest = LONGEST,
): Promise<readonly (readonly [number, string | undefined])[]> => {
  const received = {
    isCut: () => isCut,
    async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
      for (const piece of pieces) yield Buffer.from(piece)
    },
  }
  const elements: (readonly [number, string | undefined])[] = []
  for await (const list of splitUpload(received, longest))
    for (const { number, text, problem } of list) elements.push([number, text ?? problem?.message])
  return elements
}

describe('an upload', () => {
  test('that was cut off says so instead of its last, half element', async () => {
    for (const pieces of [['1\n2'], ['[1,2']])
      expect(await split(pieces, true)).toEqual([
        [1, '1'],
        [2, expect.stringContaining('too large')],
      ])
  })

  test('is read the same in whatever pieces its beginning comes', async () => {
    for (const text of ['\ufeff[1,2]', '\ufeff \n1\n2', '\n\n1\n2', ' \n[1]', '\ufeff', '\n', '\n\ufeff[1]', '\ufeff\n\ufeff[1]']) {
      const bytes = Buffer.from(text)
      const whole = await split([bytes])
      for (let size = 1; size < bytes.length; size++) {
        const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
          bytes.subarray(index * size, (index + 1) * size),
        )
        expect(await split(pieces)).toEqual(whole)
      }
    }
    expect(await split(['\n\n', '1\n2'])).toEqual([
      [3, '1'],
      [4, '2'],
    ])
    expect(await split([Buffer.of(0xef)])).toEqual([[1, 'not UTF-8']])
  })

  test('with a line that is no UTF-8 loses that line alone', async () => {
    const bad = Buffer.from([0x22, 0xc3, 0x22])
    const lines = [Buffer.from('"ä"\n"ö"\n'), bad, Buffer.from('\n\n"ü"\n"\u20ac"\n'), bad]
    const expected = [
      [1, '"ä"'],
      [2, '"ö"'],
      [3, 'not UTF-8'],
      [5, '"ü"'],
      [6, '"\u20ac"'],
      [7, 'not UTF-8'],
    ]
    expect(await split([Buffer.concat(lines)])).toEqual(expected)
    expect(await split(Array.from(Buffer.concat(lines), (byte) => Buffer.of(byte)))).toEqual(expected)
    expect(await split([Buffer.concat([Buffer.from('['), bad, Buffer.from(',1]')])])).toEqual([
      [1, 'not UTF-8'],
      [2, '1'],
    ])
  })

  test.each([
    [
      'lines',
      ['{"a":1}\n{"a":2}\n'],
      [
        [1, '{"a":1}'],
        [2, '{"a":2}'],
      ],
    ],
    [
      'a last line without an end',
      ['1\n2'],
      [
        [1, '1'],
        [2, '2'],
      ],
    ],
    [
      'blank lines are counted and skipped',
      ['1\r\n \r\n\n2\n'],
      [
        [1, '1\r'],
        [4, '2'],
      ],
    ],
    ['a byte order mark', ['\ufeff1\n'], [[1, '1']]],
    [
      'a line that is too long',
      [`1\n${'x'.repeat(61)}\n3`],
      [
        [1, '1'],
        [2, 'longer than 60 bytes'],
        [3, '3'],
      ],
    ],
    [
      'a bracket further down is no array',
      ['1\n[2]\n'],
      [
        [1, '1'],
        [2, '[2]'],
      ],
    ],
    [
      'an array',
      [' [{"a":[1,2]},{"b":"]},["},"\\"]"] '],
      [
        [1, '{"a":[1,2]}'],
        [2, '{"b":"]},["}'],
        [3, '"\\"]"'],
      ],
    ],
    ['an empty array', ['[ ]'], []],
    [
      'an element that is not there',
      ['[1,,2,]'],
      [
        [1, '1'],
        [2, ''],
        [3, '2'],
        [4, ''],
      ],
    ],
    [
      'an element that is too long',
      [`["${'x'.repeat(60)}",2]`],
      [
        [1, 'longer than 60 bytes'],
        [2, '2'],
      ],
    ],
    [
      'an array that does not end',
      ['[1,{"a":2}'],
      [
        [1, '1'],
        [2, 'the array does not end'],
      ],
    ],
    [
      'an array that ends too early',
      ['[1]]2'],
      [
        [1, '1'],
        [2, 'text after the end of the array'],
      ],
    ],
    ['nothing', [' ', '\n'], []],
  ] as const)('%s', async (_name, pieces, expected) => {
    expect(await split(pieces)).toEqual(expected)
  })

  const value = fc.oneof(
    fc.record({ id: fc.string({ maxLength: 5 }), list: fc.array(fc.integer({ max: 99 }), { maxLength: 3 }) }),
    fc.string({ maxLength: 9, unit: 'binary' }),
    fc.constantFrom(1, null, [], {}, '\\"', '{[,'),
  )
  const cutAt = (text: Buffer, cuts: readonly number[]): readonly Buffer[] => {
    const ends = [...new Set([...cuts.map((cut) => cut % (text.length + 1)), text.length])].sort((a, b) => a - b)
    return ends.map((end, index) => text.subarray(ends[index - 1] ?? 0, end))
  }

  test('gives what was put together, wherever it is cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(value, { maxLength: 6 }),
        fc.array(fc.nat(), { maxLength: 8 }),
        fc.boolean(),
        async (values, cuts, isArray) => {
          const texts = values.map((one) => JSON.stringify(one))
          const upload = Buffer.from(isArray ? `[${texts.join(' , ')}]` : `{}\n${texts.join('\n')}`)
          const expected = isArray ? texts : ['{}', ...texts]
          expect((await split(cutAt(upload, cuts), false, 1_000)).map(([, text]) => text?.trim())).toEqual(expected)
        },
      ),
    )
  })
})
