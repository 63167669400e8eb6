import { startStandalone, untilReady } from './standalone.mjs'

/** How long a server that runs already may take to be ready. */
const READY_TIMEOUT_MS = 10_000

/** @param {string} text */
export const say = (text) => void process.stdout.write(`${text}\n`)

const onOwnServer = async (show) => {
  say('Starting a server with a temporary data folder ...')
  const server = await startStandalone()
  try {
    say(`Server ready at ${server.url}`)
    await show(server.url)
  } finally {
    await server.stop()
  }
}

/**
 * Runs `task`; what it throws is told in one line, and the process ends with 1.
 *
 * @param {() => Promise<void>} task
 */
export const runProgram = async (task) => {
  try {
    await task()
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}

/**
 * Runs a demonstration by its command line: against the server that the options name, else against one of its own.
 *
 * @template {{ readonly url: string | null, readonly isHelp: boolean }} Options
 * @param {{ readonly parse: (args: readonly string[]) => Options, readonly usage: string, readonly show: (url: string, options: Options) => Promise<void> }} demo
 */
export const runDemo = async ({ parse, usage, show }) =>
  await runProgram(async () => {
    const options = parse(process.argv.slice(2))
    if (options.isHelp) return say(usage)
    if (options.url === null) return await onOwnServer((url) => show(url, options))
    await untilReady(options.url, READY_TIMEOUT_MS)
    await show(options.url, options)
  })
