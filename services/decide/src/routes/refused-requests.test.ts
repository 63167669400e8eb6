import { expect, test } from '@jest/globals'
import { problemOfRefusal } from './refused-requests.ts'

test.each(['MERCHANT_NOT_FOUND', 'MERCHANT_FOREIGN'] as const)(
  'an id that was cut inside of a character was answered with half of it, in JSON that strict readers refuse: %s',
  (code) => {
    const { developerMessage } = problemOfRefusal({ code, merchantId: `m${'😀'.repeat(40)}` })
    expect(developerMessage).toContain(`m${'😀'.repeat(31)}\uFFFD`)
  },
)
