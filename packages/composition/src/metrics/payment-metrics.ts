import type { PaymentsEvent } from '@switchyard/events'
import type { AppenderStatus, PaymentAppender } from '@switchyard/runtime'
import type { Registry } from 'prom-client'
import { counter, createCounts, gauge, type LabelledNumber } from './counted.ts'

const NO_APPROACH = 'NONE'
const STATUS: AppenderStatus = { bufferedCount: 0, bufferedCountMax: 0, droppedCount: 0 }

/** Decisions and evaluations as they are made, and the buffer that their events wait in. */
export const createPaymentMetrics = (registry: Registry): ((appender: PaymentAppender) => PaymentAppender) => {
  const registers = [registry]
  const decided = createCounts()
  const refused = createCounts()
  const evaluated = createCounts()
  let statusOf = (): AppenderStatus => STATUS

  counter({
    name: 'routing_decisions_total',
    help: 'Decisions, by what they were based on and whether there was one',
    labelNames: ['approach', 'status'],
    registers,
    read: () => [
      ...decided.read((approach) => ({ approach, status: 'success' })),
      ...refused.read((approach) => ({ approach, status: 'failure' })),
    ],
  })
  counter({
    name: 'routing_rule_hits_total',
    help: 'Evaluations of rules: whether a rule matched, or the default selection stood in',
    labelNames: ['status'],
    registers,
    read: () => evaluated.read((status) => ({ status })),
  })
  const own = (name: string, help: string, read: (status: AppenderStatus) => number, kind = gauge): void =>
    kind({ name, help, registers, read: (): readonly LabelledNumber[] => [{ labels: {}, value: read(statusOf()) }] })
  own('append_buffer_events', 'Events that wait for the log', ({ bufferedCount }) => bufferedCount)
  own('append_buffer_capacity_events', 'Events that may wait for the log', ({ bufferedCountMax }) => bufferedCountMax)
  own('decisions_dropped_total', 'Decisions that were answered and never recorded', ({ droppedCount }) => droppedCount, counter)

  const count = (event: PaymentsEvent): void => {
    if (event.type === 'GatewayDecided') decided.add(event.data.approach)
    else if (event.type === 'DecisionRefused') refused.add(event.data.approach ?? NO_APPROACH)
    else if (event.type === 'RuleEvaluated') evaluated.add(event.data.status)
  }

  return (appender) => {
    statusOf = appender.status
    return {
      ...appender,
      enqueue: (event) => {
        count(event)
        appender.enqueue(event)
      },
    }
  }
}
