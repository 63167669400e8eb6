// Loaded before a service (`node --import`): plants a fault for the checker to find. Records are acknowledged when they are handed
// to the driver, as with `acks=0`, and stand in the log half a second later.
import { register } from 'node:module'

const hook = `
const HONEST = 'export const createIdempotentProducer ='
const PLANTED = \`
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
export const createIdempotentProducer = (options, limits) => {
  const honest = createHonestProducer(options, limits)
  let last = Promise.resolve()
  return {
    ...honest,
    send: async (batch) => {
      last = last.then(() => sleep(500)).then(() => honest.send(batch)).catch(() => {})
      return batch.map(({ message }) => ({ partition: message.partition ?? 0, offset: 0 }))
    },
  }
}\`
export const load = async (url, context, next) => {
  const loaded = await next(url, context)
  if (!url.endsWith('/log-kafka/dist/idempotent-producer.js')) return loaded
  const source = String(loaded.source)
  if (!source.includes(HONEST)) throw new Error('there is no producer to plant a fault in')
  return { ...loaded, source: source.replace(HONEST, 'const createHonestProducer =') + PLANTED }
}
`
register(`data:text/javascript,${encodeURIComponent(hook)}`)
