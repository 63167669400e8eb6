// `node health-check.mjs [path]`: whether the service of this container is ready, or what else the path asks; ends with 0 when it says so.
const TIMEOUT_MS = 2_000
const [path = '/health/ready'] = process.argv.slice(2)

const isReady = async () => {
  try {
    return (await fetch(`http://127.0.0.1:${process.env.PORT}${path}`, { signal: AbortSignal.timeout(TIMEOUT_MS) })).ok
  } catch {
    return false
  }
}

process.exitCode = (await isReady()) ? 0 : 1
