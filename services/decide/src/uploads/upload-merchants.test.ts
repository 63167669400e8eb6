import { describe, expect, test } from '@jest/globals'
import type { Identity } from '@switchyard/http'
import { OperatingError } from '@switchyard/kernel'
import { createRefuseMerchant } from './upload-merchants.ts'

const NOT_FOUND = { result: 'refused', refusal: { code: 'MERCHANT_NOT_FOUND' } }

/** An upload that begins now, and what becomes of its merchant meanwhile. */
const upload = (identity: Identity) => {
  let standing = { registered: true, registrationCount: 1 }
  const states = {
    stateOf: <State>({ initialState }: { readonly initialState: State }): State => ({ ...initialState, ...standing }),
    readIndex: () => Promise.resolve(),
  }
  return {
    refuse: createRefuseMerchant({ states, readPayments: () => Promise.resolve() }, identity, false),
    close: () => {
      standing = { ...standing, registered: false }
    },
    register: () => {
      standing = { registered: true, registrationCount: standing.registrationCount + 1 }
    },
  }
}

const CREDENTIALS: readonly (readonly [string, Identity])[] = [
  ["the merchant's key", { kind: 'key', keyId: 'k_1', merchantId: 'm_1', admin: false }],
  ['the admin secret', { kind: 'admin' }],
]

describe('the merchants of an upload', () => {
  test.each(CREDENTIALS)('one that is closed meanwhile takes no more, nor does the next of its id: by %s', async (_, identity) => {
    const { refuse, close, register } = upload(identity)
    expect(await refuse('m_1')).toBeUndefined()
    close()
    expect(await refuse('m_1')).toMatchObject(NOT_FOUND)
    register()
    expect(await refuse('m_1')).toMatchObject(NOT_FOUND)
  })

  test('while the log is away their lines are refused, to be sent again, and the upload goes on; then they are taken', async () => {
    let failure: Error | undefined = new OperatingError('LOG_UNAVAILABLE', 'the log is away', { retryable: true })
    const states = {
      stateOf: <State>({ initialState }: { readonly initialState: State }): State => ({ ...initialState, registered: true }),
      readIndex: () => Promise.resolve(),
    }
    const readPayments = () => (failure === undefined ? Promise.resolve() : Promise.reject(failure))
    const refuse = createRefuseMerchant({ states, readPayments }, { kind: 'admin' }, true)
    const asked = [refuse('m_1'), refuse('m_1')]
    for (const answer of asked) expect(await answer).toMatchObject({ result: 'refused', refusal: { code: 'LOG_UNAVAILABLE' } })
    failure = new Error('a bug')
    await expect(refuse('m_1')).rejects.toThrow('a bug')
    failure = undefined
    expect(await refuse('m_1')).toBeUndefined()
  })
})
