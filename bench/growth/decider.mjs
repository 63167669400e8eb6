import { createConfiguration, createMetrics, createPayments, createRecorder, newId, now } from '@switchyard/composition'
import { assembleDecide, createCostFollower, loadDebitData, loadGatewayErrors } from '@switchyard/decide'
import { publishedSchemaIds } from '@switchyard/events'
import { createGate } from '@switchyard/http'
import { createRuleEvaluator } from '@switchyard/routing'
import { loadRuleData } from '@switchyard/routing-data'
import { parseSettings } from '@switchyard/runtime'
import { codec } from '../history.mjs'

const onFailure = (error) => {
  throw error
}
const NO_QUERY = new URLSearchParams()
const nowhere = () => ''
const NO_FILES = { routingKeys: undefined, eligibility: undefined }

/**
 * What a process that decides is put together from, without its sockets: a start as it is in a server, and decisions from the gate to
 * the answer's text. They are recorded into a log of their own, so that the next start finds what this one found.
 *
 * @param {{ readonly log: import('@switchyard/kernel').EventLog, readonly store: import('@switchyard/kernel').ReadStore,
 *   readonly recordsInto: import('@switchyard/kernel').EventLog }} engines
 */
export const createDecider = ({ log, store, recordsInto }) => {
  const engines = { log, store, codec }
  const settings = parseSettings({})
  const ruleData = loadRuleData(NO_FILES)
  const configuration = createConfiguration(engines, { onFailure }, settings)
  const payments = createPayments(engines, { onFailure }, configuration.keys)
  const costs = createCostFollower({ ...engines, schemaIds: publishedSchemaIds(), states: configuration.states, onFailure })
  const report = { info: () => {}, failed: (_, error) => onFailure(error) }
  const recorder = createRecorder({ log: recordsInto, codec }, { report, metrics: createMetrics('thread') })
  const { appender, noteKey } = recorder
  const { routes } = assembleDecide({
    settings,
    configuration,
    payments,
    costs,
    appender,
    gatewayErrors: loadGatewayErrors(undefined),
    debitData: loadDebitData({ networkFees: undefined, binTable: undefined }),
    evaluator: createRuleEvaluator(ruleData.catalogue),
    eligibility: ruleData.eligibility,
  })
  const route = routes.find(({ spec }) => spec.path === '/decide-gateway')
  const gate = createGate({
    directory: configuration.directory,
    tokens: { verify: () => undefined },
    adminSecret: '',
    noteKey,
    now,
    tenants: [],
  })

  return {
    start: async () => {
      await configuration.part.start()
      await payments.part.start()
    },
    /** One request whose body was parsed. */
    decide: ({ headers, body }) => {
      const { identity } = gate.authenticate(route.spec, headers)
      const requestId = newId()
      const request = { params: {}, query: NO_QUERY, body, headers, identity, requestId, receivedAt: now(), remoteAddress: nowhere }
      const { status } = gate.refuseMerchant(route.spec, request) ?? route.handle(request)
      if (status !== 200) throw new Error(`a decision was answered ${status}`)
    },
    /** Whether all decisions stand in the log. */
    isRecorded: () => appender.status().bufferedCount === 0,
    stop: async () => {
      await recorder.part.stop()
      await payments.part.stop()
      await configuration.part.stop()
    },
  }
}
