import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { RecentTexts } from './recent-texts.ts'

test('every text is given back as it is, whatever came before it', () => {
  const texts = new RecentTexts()
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.string({ maxLength: 80 }), fc.constantFrom('', 'EUR', 'USD', '411111', '411151', 'é', '\ud800'))),
      (all) => {
        for (const text of all) expect(texts.of(text)).toBe(text)
      },
    ),
  )
})
