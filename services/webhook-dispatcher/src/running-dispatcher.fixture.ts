import { afterEach, beforeEach } from '@jest/globals'
import type { Answer, EndpointWish, EventDetail, Submission } from './operations.ts'
import { createWorld, ORIGIN, PLACE, type Running, submitted, until, type World, wish } from './sample-dispatcher.fixture.ts'

/** For each test a deployment of its own, with a process and an endpoint; what is not said is about the merchant `m1`. */
export interface RunningDispatcher {
  readonly world: () => World
  /** The process that runs now. */
  readonly service: () => Running
  /** Ends the process and starts the next one; `meanwhile` none runs. */
  readonly restart: (meanwhile?: () => Promise<unknown>) => Promise<void>
  /** Configures the endpoint of the profile `default`. */
  readonly configure: (change?: Partial<EndpointWish>) => ReturnType<Running['operations']['configureEndpoint']>
  /** Submits an event and gives its id. */
  readonly accepted: (change?: Partial<Submission>) => Promise<string>
  /** Waits until the endpoint has got so many requests. */
  readonly sent: (count: number) => Promise<true>
  /** Ids of the events that the endpoint got, in their order. */
  readonly sentIds: () => readonly (string | undefined)[]
  /** The attempts at an event, newest first. */
  readonly attempts: (eventId: string) => Promise<readonly EventDetail[]>
  /** Waits until an attempt has come to its end, whatever that was. */
  readonly ended: (eventId: string) => Promise<EventDetail>
  readonly retry: (eventId: string, idempotencyKey?: string | null) => Promise<Answer<EventDetail>>
}

/** The value of an answer; fails when it is a refusal. */
export const valueOf = <Value>(answer: Answer<Value>): Value => {
  if (!answer.ok) throw new Error(answer.refusal)
  return answer.value
}

const hasEnded = ({ response: { statusCode, errorMessage } }: EventDetail): boolean => statusCode !== null || errorMessage !== null

/** Registers what starts and ends a {@link RunningDispatcher}. */
export const useDispatcher = (): RunningDispatcher => {
  let world: World
  let service: Running
  const configure: RunningDispatcher['configure'] = (change) => service.operations.configureEndpoint({ ...PLACE, wish: wish(change) })
  beforeEach(async () => {
    world = await createWorld()
    service = await world.start()
    await configure()
  })
  afterEach(async () => {
    await service.end()
  })
  return {
    world: () => world,
    service: () => service,
    restart: async (meanwhile) => {
      await service.end()
      await meanwhile?.()
      service = await world.start()
    },
    configure,
    accepted: (change) => submitted(service, change),
    sent: (count) => until(`${count} attempts`, () => (world.endpoint.got.length === count ? true : undefined)),
    sentIds: () => world.endpoint.got.map(({ headers }) => Object.fromEntries(headers)['webhook-id']),
    attempts: async (eventId) => valueOf(await service.operations.attempts({ merchantId: 'm1', eventId, limit: 100, offset: 0 })),
    ended: (eventId) =>
      until('the end of an attempt', async () => {
        const detail = valueOf(await service.operations.retrieve({ merchantId: 'm1', eventId }))
        return hasEnded(detail) ? detail : undefined
      }),
    retry: (eventId, idempotencyKey = null) => service.operations.retry({ merchantId: 'm1', eventId, idempotencyKey, origin: ORIGIN }),
  }
}
