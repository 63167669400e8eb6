// Whether the service of this container is ready: ends with 0 when it says so.
const TIMEOUT_MS = 2_000

const isReady = async () => {
  try {
    return (await fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`, { signal: AbortSignal.timeout(TIMEOUT_MS) })).ok
  } catch {
    return false
  }
}

process.exitCode = (await isReady()) ? 0 : 1
