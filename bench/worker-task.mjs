/**
 * Runs the task that a process was started for (see own-process.mjs) and reports what it gives.
 *
 * @param {Readonly<Record<string, (task: any) => unknown>>} tasks by their names
 */
export const runTask = async (tasks) => {
  const task = JSON.parse(process.argv[2] ?? '{}')
  const result = (await tasks[task.name](task)) ?? {}
  if (process.send === undefined) process.stdout.write(`${JSON.stringify(result)}\n`)
  else process.send(result)
  process.disconnect?.()
}
