// Loaded before a service (`node --import`): plants a fault for the checker to find. Records are acknowledged when they are handed
// to the driver, as with `acks=0`, and stand in the log half a second later.
import { register } from 'node:module'

const hook = `
const HONEST = 'var createIdempotentProducer ='
const PLANTED = \`
function createIdempotentProducer(options, limits) {
  const honest = createHonestProducer(options, limits)
  let last = Promise.resolve()
  return {
    ...honest,
    send: async (batch) => {
      last = last.then(() => new Promise((resolve) => setTimeout(resolve, 500))).then(() => honest.send(batch)).catch(() => {})
      return batch.map(({ message }) => ({ partition: message.partition ?? 0, offset: 0 }))
    },
  }
}\`
export const load = async (url, context, next) => {
  const loaded = await next(url, context)
  const source = url.includes('/dist/bundle/') ? String(loaded.source) : ''
  if (!source.includes(HONEST)) return loaded
  return { ...loaded, source: source.replace(HONEST, 'var createHonestProducer =') + PLANTED }
}
`
register(`data:text/javascript,${encodeURIComponent(hook)}`)
