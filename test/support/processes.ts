import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

/** Longest time that a start may take before a test gives up on it, in milliseconds. */
const START_TIMEOUT_MS = 120_000

/** Between two questions: asking takes from what starts, milliseconds. */
const LOOK_PAUSE_MS = 40

/** What a test talks to: one process, or several behind a gateway. */
export interface RunningServer {
  readonly url: string
  readonly output: () => string
  /** Asks it to stop (SIGTERM) and waits for its end; resolves with the exit code. */
  readonly stop: () => Promise<number | null>
  /** `kill -9`. */
  readonly kill: () => Promise<void>
}

/** A process that a test started. */
export interface RunningProcess {
  readonly url: string
  readonly output: () => string
  /** Sends the signal, and waits for the end; resolves with the exit code. */
  readonly end: (signal: NodeJS.Signals) => Promise<number | null>
}

/** The environment of a process under test: nothing of the test run's own, a free port, and what is given. */
const environment = (env: Readonly<Record<string, string>>): NodeJS.ProcessEnv => {
  const { PATH, HOME, TMPDIR } = process.env
  return { PATH, HOME, TMPDIR, PORT: '0', SWITCHYARD_METRICS_PORT: 'off', SWITCHYARD_LOG_LEVEL: 'warn', ...env }
}

const spawnNode = (main: string, env: Readonly<Record<string, string>>): ChildProcess =>
  spawn(process.execPath, [main], { env: environment(env), stdio: ['ignore', 'pipe', 'pipe'] })

const collect = (child: ChildProcess): (() => string) => {
  let text = ''
  const add = (chunk: unknown): void => {
    text += String(chunk)
  }
  child.stdout?.on('data', add)
  child.stderr?.on('data', add)
  return () => text
}

/** Runs a process to its end, for starts that are meant to fail. */
export const runToItsEnd = async (
  main: string,
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number | null; readonly output: string }> => {
  const child = spawnNode(main, env)
  const output = collect(child)
  const [code] = await once(child, 'close')
  return { code: typeof code === 'number' ? code : null, output: output() }
}

const listening = (child: ChildProcess, output: () => string): Promise<string> =>
  new Promise((resolve, reject) => {
    const fail = (why: string): void => {
      clearTimeout(timer)
      reject(new Error(`the server ${why}; it printed:\n${output()}`))
    }
    const timer = setTimeout(() => fail(`did not listen within ${START_TIMEOUT_MS} ms`), START_TIMEOUT_MS)
    child.once('exit', (code) => fail(`ended with code ${code} before it listened`))
    child.stdout?.on('data', () => {
      const url = /listens on (http:\/\/127\.0\.0\.1:\d+)/.exec(output())?.[1]
      if (url === undefined) return
      clearTimeout(timer)
      resolve(url)
    })
  })

/** Asks until the service says that it is ready; else tells what it answered last, and printed. */
const untilReady = async (url: string, output: () => string): Promise<void> => {
  const deadline = Date.now() + START_TIMEOUT_MS
  let answer = ''
  while (Date.now() < deadline) {
    const response = await fetch(`${url}/health/ready`)
    answer = await response.text()
    if (response.status === 200) return
    await new Promise((resolve) => setTimeout(resolve, LOOK_PAUSE_MS))
  }
  throw new Error(`${url} was not ready within ${START_TIMEOUT_MS} ms: ${answer}; it printed:\n${output()}`)
}

/** A process that was started, and may not listen yet. */
export interface StartingProcess {
  readonly output: () => string
  readonly end: RunningProcess['end']
  /** Waits until the text stands in what it printed. */
  readonly printed: (text: string) => Promise<void>
  /** Waits until it is ready; one that does not get ready is ended: left alone, it would outlive the test run. */
  readonly ready: () => Promise<RunningProcess>
}

/** Starts a built service on a free port. */
export const startProcess = (main: string, env: Readonly<Record<string, string>>): StartingProcess => {
  const child = spawnNode(main, env)
  const output = collect(child)
  const ended = once(child, 'exit')
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal)
    const [code] = await ended
    return typeof code === 'number' ? code : null
  }
  return {
    output,
    end,
    printed: async (text) => {
      const deadline = Date.now() + START_TIMEOUT_MS
      while (!output().includes(text)) {
        if (Date.now() > deadline) throw new Error(`"${text}" was not printed, but:\n${output()}`)
        await new Promise((resolve) => setTimeout(resolve, LOOK_PAUSE_MS))
      }
    },
    ready: async () => {
      try {
        const url = await listening(child, output)
        await untilReady(url, output)
        return { url, output, end }
      } catch (error) {
        child.kill('SIGKILL')
        throw error
      }
    },
  }
}
