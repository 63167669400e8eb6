import { fork } from 'node:child_process'
import { once } from 'node:events'

/**
 * A process that takes orders, one at a time, until it is stopped. It answers each with `{ result }` or `{ error }`
 * (`takeOrders`), and `ask` gives the one or rejects with the other.
 *
 * @param {string} file
 */
export const startHelper = (file) => {
  const child = fork(file, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  return {
    /** @param {object} order */
    ask: async (order) => {
      child.send(order)
      const ended = new AbortController()
      const [reply] = await Promise.race([
        once(child, 'message', { signal: ended.signal }),
        once(child, 'exit', { signal: ended.signal }).then(() => [{ error: `${file} ended` }]),
      ]).finally(() => ended.abort())
      if (reply.error !== undefined) throw new Error(reply.error)
      return reply.result
    },
    stop: () => {
      child.disconnect()
    },
  }
}

/**
 * In the helper: works off the orders of `startHelper`, and ends with it.
 *
 * @param {(order: any) => Promise<unknown>} work
 */
export const takeOrders = (work) => {
  process.on('message', (order) => {
    work(order).then(
      (result) => process.send?.({ result }),
      (error) => process.send?.({ error: String(error) }),
    )
  })
  process.on('disconnect', () => process.exit(0))
}
