// `npm start`: everything in one process on the embedded engines. Installs and bundles first when something changed.
import { createParentWatch } from './parent-watch.mjs'
import { bundleWhenNeeded, installWhenNeeded, requireNode } from './setup.mjs'

const PARENT_LOOK_MS = 500

/** A shell of somebody's own may go while the service stays; that of npm goes with npm. */
const isStartedByNpm = () => process.env.npm_lifecycle_event === 'start'

if (isStartedByNpm()) {
  const look = createParentWatch({ parentPid: () => process.ppid, stop: () => process.kill(process.pid, 'SIGTERM') })
  setInterval(look, PARENT_LOOK_MS).unref()
}
requireNode()
installWhenNeeded()
await bundleWhenNeeded(['standalone'])
await import('../services/standalone/dist/bundle/main.js')
