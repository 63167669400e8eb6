import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { createWorld, PLACE, type Running, submitted, until, type World, wish } from './sample-dispatcher.fixture.ts'

const FIRST = 'the first secret, long enough'
const SECOND = 'the second secret, long enough'
const GRACE_MS = 3_600_000

let world: World
let service: Running
let previousValidUntil: number
beforeEach(async () => {
  world = await createWorld()
  service = await world.start()
  await configure(FIRST)
  previousValidUntil = await rotateTo(SECOND, GRACE_MS)
})
afterEach(async () => {
  await service.end()
})

const configure = (secret: string) => service.operations.configureEndpoint({ ...PLACE, wish: wish({ secret }) })
const rotateTo = async (secret: string, graceMs: number): Promise<number> => {
  const answer = await service.operations.rotateSecret({ ...PLACE, secret, graceMs })
  if (!answer.ok) throw new Error(answer.refusal)
  expect(answer.value.secret).toBe(secret)
  return answer.value.previousValidUntil
}
/** The headers that prove where the next event comes from. */
const proofs = async () => {
  const count = world.endpoint.got.length
  await submitted(service)
  const request = await until('the delivery', () => world.endpoint.got[count])
  const headers = Object.fromEntries(request.headers)
  return { signatureCount: headers['webhook-signature']?.split(' ').length, hasPrevious: 'x-webhook-signature-512-previous' in headers }
}

describe('while a secret is being rotated', () => {
  test('configuring the endpoint with the secret that it has lets the one before sign on', async () => {
    expect(await configure(SECOND)).toMatchObject({ ok: true, value: { generatedSecret: null } })
    expect(await proofs()).toEqual({ signatureCount: 2, hasPrevious: true })
    world.pass(GRACE_MS)
    expect(await proofs()).toEqual({ signatureCount: 1, hasPrevious: false })
  })

  test('configuring it with another secret ends all others at once', async () => {
    await configure(FIRST)
    expect(await proofs()).toEqual({ signatureCount: 1, hasPrevious: false })
  })

  test('the same rotation sent again answers as before, and takes no place from the secret before', async () => {
    expect(await rotateTo(SECOND, GRACE_MS)).toBe(previousValidUntil)
    expect(await proofs()).toEqual({ signatureCount: 2, hasPrevious: true })
    world.pass(GRACE_MS)
    expect(await proofs()).toEqual({ signatureCount: 1, hasPrevious: false })
  })

  test('a rotation back to the one before had events signed twice with it, and took the place of a third', async () => {
    await rotateTo(FIRST, GRACE_MS)
    expect(await proofs()).toEqual({ signatureCount: 2, hasPrevious: true })
    await rotateTo('the third secret, long enough', GRACE_MS)
    expect(await proofs()).toEqual({ signatureCount: 3, hasPrevious: true })
  })

  test('the same rotation sent twice at once had the secret sign as its own predecessor', async () => {
    const answers = await Promise.all([1, 2].map(() => rotateTo('the third secret, long enough', GRACE_MS)))
    expect(new Set(answers).size).toBe(1)
    expect(await proofs()).toEqual({ signatureCount: 3, hasPrevious: true })
  })

  test('a rotation without grace ends the secret before it, and not the one before that', async () => {
    const endedAt = await rotateTo('the third secret, long enough', 0)
    expect(endedAt).toBeLessThanOrEqual(world.now())
    expect(await proofs()).toEqual({ signatureCount: 2, hasPrevious: true })
  })
})
