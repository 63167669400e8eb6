// `npm start`: everything in one process on the embedded engines. Installs and bundles first when something changed.
import { createParentWatch, createSignalNote } from './parent-watch.mjs'
import { bundleWhenNeeded, installWhenNeeded, requireNode } from './setup.mjs'

const PARENT_LOOK_MS = 500

/** A shell of somebody's own may go while the service stays; that of npm goes with npm. */
const isStartedByNpm = () => process.env.npm_lifecycle_event === 'start'

if (isStartedByNpm()) {
  const stop = () => process.kill(process.pid, 'SIGTERM')
  const look = createParentWatch({ parentPid: () => process.ppid, hasSignal: createSignalNote(process), stop })
  setInterval(look, PARENT_LOOK_MS).unref()
}
requireNode()
installWhenNeeded()
await bundleWhenNeeded(['standalone'])
await import('../services/standalone/dist/bundle/main.js')
