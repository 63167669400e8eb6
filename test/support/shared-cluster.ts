// The cluster that acceptance tests on services share, as a process beside the test run, which starts it (infra/servers/jest):
// prints its address once it is ready. It ends, and takes its topics and database away, when nothing more can come on its standard
// input: also a test run that was killed leaves none behind.
import { once } from 'node:events'
import { newSurroundings, startCluster } from './cluster.ts'
import { RECEIVERS_ALLOWED } from './receivers/allowed.ts'

const surroundings = newSurroundings()
const cluster = await startCluster(surroundings, RECEIVERS_ALLOWED)
process.stdout.write(`${cluster.url}\n`)
await once(process.stdin.resume(), 'end')
if ((await cluster.stop()) !== 0) process.stderr.write(cluster.output())
await surroundings.remove()
