import type { Command } from './command-line.ts'
import type { Deployment, Engines } from './engines.ts'
import { replay } from './replay.ts'
import { USAGE } from './usage.ts'

/** Opens the log for a task, and closes it whatever comes of it. */
const withLog = async (
  { openLog }: Deployment,
  task: (engines: Pick<Engines, 'log' | 'schemaIds'>) => Promise<number>,
): Promise<number> => {
  const engines = await openLog()
  try {
    return await task(engines)
  } finally {
    await engines.log.close()
  }
}

/** Does what the command line asks for; resolves with the exit code. */
export const runCommand = async (command: Command, deployment: Deployment): Promise<number> => {
  const { console } = deployment
  switch (command.name) {
    case 'help':
      await console.print(USAGE.trimEnd())
      return 0
    case 'replay':
      return await withLog(deployment, (engines) => replay(command, { ...engines, console }))
    default:
      throw new Error('not there yet')
  }
}
