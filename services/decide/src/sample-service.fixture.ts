import type { PaymentsEvent } from '@switchyard/events'
import { bodyOfReply, type Identity, type Refusal, type Route, type RouteReply, type RouteRequest } from '@switchyard/http'
import { OperatingError, type Position } from '@switchyard/kernel'
import {
  createGatewayErrorTable,
  createPaymentFold,
  createRuleEvaluator,
  type GatewayErrorRule,
  type PaymentFold,
} from '@switchyard/routing'
import { loadRuleData } from '@switchyard/routing-data'
import type { HandleCommand } from '@switchyard/runtime'
import { type DebitData, loadDebitData } from './debit-data/load-debit-data.ts'
import { createDecideService } from './decide-service.ts'

/** A decision request for tests: a card payment with three candidates. */
export const decisionBody = (changes: object = {}, payment: object = {}): object => ({
  merchantId: 'm_9',
  eligibleGatewayList: ['stripe', 'adyen', 'checkout'],
  rankingAlgorithm: 'SR_BASED_ROUTING',
  eliminationEnabled: false,
  ...changes,
  paymentInfo: {
    paymentId: 'p_77',
    amount: 123.45,
    currency: 'USD',
    country: 'US',
    paymentType: 'ORDER_PAYMENT',
    paymentMethodType: 'CARD',
    paymentMethod: 'CREDIT',
    authType: 'THREE_DS',
    cardIsin: '424242',
    cardSwitchProvider: 'VISA',
    ...payment,
  },
})

/** A report for tests. */
export const outcomeBody = (changes: object = {}): object => ({
  merchantId: 'm_9',
  gateway: 'adyen',
  paymentId: 'p_77',
  status: 'CHARGED',
  ...changes,
})

/** What a test may choose. */
export interface SampleServiceOptions {
  readonly identity: Identity
  /** States of slices by their names; others have their initial state. */
  readonly slices: Readonly<Record<string, object>>
  /** The same from the first wait for payments on. */
  readonly later: Readonly<Record<string, object>>
  /** The same from the first wait for configuration on. */
  readonly indexed: Readonly<Record<string, object>>
  readonly fold: PaymentFold
  readonly log: 'available' | 'away'
  readonly gatewayErrors: readonly GatewayErrorRule[]
  readonly debitData: DebitData
  readonly handle: HandleCommand
  /** What the fold learns when it catches up. */
  readonly catchUp: readonly PaymentsEvent[]
}

/** The service with what it recorded. */
export interface SampleService {
  readonly routes: readonly Route[]
  readonly recorded: readonly PaymentsEvent[]
  readonly fold: PaymentFold
  readonly call: (path: string, body: unknown, headers?: Readonly<Record<string, string>>) => Promise<RouteReply>
  readonly refuse: (path: string, refusal: Refusal, body: unknown) => RouteReply | undefined
}

const refuseCommands: HandleCommand = () =>
  Promise.reject(new OperatingError('LOG_UNAVAILABLE', 'no command can be handled', { retryable: true }))

const ruleData = loadRuleData({ routingKeys: undefined, eligibility: undefined })

const KEY: Identity = { kind: 'key', keyId: 'k_1', merchantId: 'm_9', admin: false }

/** The service for tests: epoch millisecond 1000, a clock of 250 us a look, every event recorded where it can be seen. */
export const sampleService = (options: Partial<SampleServiceOptions> = {}): SampleService => {
  const {
    identity = KEY,
    slices: slicesAtFirst = {},
    later,
    indexed,
    fold = createPaymentFold(),
    log = 'available',
    catchUp = [],
    gatewayErrors = [],
    debitData = loadDebitData({ networkFees: undefined, binTable: undefined }),
    handle = refuseCommands,
  } = options
  const recorded: PaymentsEvent[] = []
  const states = new Map<string, unknown>()
  let slices = slicesAtFirst
  let monotonicUs = 0

  const turnTo = (others: typeof slices | undefined): void => {
    if (others === undefined) return
    slices = others
    states.clear()
  }

  const stored = (event: PaymentsEvent): Position => {
    if (log === 'away') throw new OperatingError('LOG_UNAVAILABLE', 'the log is away', { retryable: true })
    return { partition: 2, offset: recorded.push(event) - 1 }
  }

  const { routes } = createDecideService({
    states: {
      stateOf: <State>(slice: { readonly name: string; readonly initialState: State }): State => {
        const known = states.get(slice.name)
        if (known !== undefined) return known as State
        const state = { ...slice.initialState, ...slices[slice.name] }
        states.set(slice.name, state)
        return state
      },
      readIndex: async () => turnTo(indexed),
    },
    fold,
    costs: { modelOf: () => undefined },
    appender: {
      append: async (event) => stored(event),
      appendAll: async (events) => events.map(stored),
      enqueue: (event) => {
        recorded.push(event)
      },
    },
    now: () => 1_000,
    monotonicUs: () => {
      monotonicUs += 250
      return monotonicUs
    },
    draw: () => 0,
    gatewayErrors: createGatewayErrorTable(gatewayErrors),
    evaluator: createRuleEvaluator(ruleData.catalogue),
    eligibility: ruleData.eligibility,
    debitData,
    handle,
    readPayments: async () => {
      turnTo(later)
      for (const event of catchUp) fold.apply(event)
    },
  })

  const requestOf = (body: unknown, headers: Readonly<Record<string, string>> = {}): RouteRequest => ({
    params: {},
    query: new URLSearchParams(),
    body,
    headers,
    identity,
    requestId: 'r_1',
    receivedAt: 1_000,
    remoteAddress: () => '127.0.0.1',
  })
  const routeOf = (path: string): Route => {
    const route = routes.find(({ spec }) => spec.path === path)
    if (route === undefined) throw new Error(`no route ${path}`)
    return route
  }
  return {
    routes,
    recorded,
    fold,
    call: async (path, body, headers) => {
      const reply = await routeOf(path).handle(requestOf(body, headers))
      return { ...reply, body: bodyOfReply(reply) }
    },
    refuse: (path, refusal, body) => routeOf(path).refuse?.(refusal, requestOf(body)),
  }
}
