import { spawnSync } from 'node:child_process'

const JAVA_MIN = 17

/** What the servers need, and the command that installs it where it is missing. */
const HINTS = {
  java: 'apt-get install --yes openjdk-17-jre-headless (or brew install openjdk@17)',
  mvn: 'apt-get install --yes maven (or brew install maven)',
  tar: 'apt-get install --yes tar',
}

const missing = (what, name) =>
  new Error(`${what}. Install it: ${HINTS[name]}. Or start Docker, or give the addresses of servers (infra/servers/README.md).`)

const requireTool = (name, versionFlag) => {
  const { error, stdout, stderr } = spawnSync(name, [versionFlag], { encoding: 'utf8' })
  if (error) throw missing(`${name} is missing`, name)
  return `${stdout}${stderr}`
}

/** Throws an error that names the missing tool and how to install it. */
export const requireTools = () => {
  if (process.platform === 'win32') throw new Error('On Windows the servers need Docker: https://docs.docker.com/desktop')
  const version = Number(/version "(\d+)/.exec(requireTool('java', '-version'))?.[1])
  if (!(version >= JAVA_MIN)) throw missing(`Java ${JAVA_MIN} or newer is needed`, 'java')
  requireTool('mvn', '-version')
  requireTool('tar', '--version')
}
