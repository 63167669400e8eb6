import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { cacheFolder } from '../places.mjs'

const PLUGIN = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1'
const TIMEOUT_MS = 600_000

const run = (command, args, cwd) => {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8', timeout: TIMEOUT_MS })
  if (status !== 0) throw new Error(`${command} failed: ${error?.message ?? ''}\n${stdout ?? ''}${stderr ?? ''}`)
}

const mvn = (folder, goal, options) =>
  run(
    'mvn',
    ['--quiet', '--batch-mode', `${PLUGIN}:${goal}`, ...Object.entries(options).map(([name, value]) => `-D${name}=${value}`)],
    folder,
  )

/** Fills a folder of the cache once. It gets its name when it is complete, so that an interrupted download leaves none. */
const provision = (name, fill) => {
  const folder = join(cacheFolder(), name)
  if (existsSync(folder)) return folder
  const aside = `${folder}.${process.pid}`
  mkdirSync(aside, { recursive: true })
  try {
    fill(aside)
    if (!existsSync(folder)) renameSync(aside, folder)
  } finally {
    rmSync(aside, { recursive: true, force: true })
  }
  return folder
}

const exclusionOf = ([groupId, artifactId]) => `<exclusion><groupId>${groupId}</groupId><artifactId>${artifactId}</artifactId></exclusion>`

const pomOf = ({ groupId, artifactId, version, exclusions = [] }) => `<project xmlns="http://maven.apache.org/POM/4.0.0">
<modelVersion>4.0.0</modelVersion><groupId>local</groupId><artifactId>server</artifactId><version>1</version><packaging>pom</packaging>
<dependencies><dependency><groupId>${groupId}</groupId><artifactId>${artifactId}</artifactId><version>${version}</version>
<exclusions>${exclusions.map(exclusionOf).join('')}</exclusions></dependency></dependencies>
</project>
`

/**
 * The jars of an artifact and of all that it needs, in one folder.
 *
 * @param {{ groupId: string, artifactId: string, version: string, exclusions?: readonly (readonly [string, string])[] }} artifact
 */
export const provideJars = (artifact) =>
  provision(`${artifact.artifactId}-${artifact.version}`, (folder) => {
    writeFileSync(join(folder, 'pom.xml'), pomOf(artifact))
    mvn(folder, 'copy-dependencies', { includeScope: 'runtime', outputDirectory: folder })
  })

/**
 * The content of an archive (`tar.gz`) that is published as an artifact.
 *
 * @param {{ groupId: string, artifactId: string, version: string, classifier: string }} artifact
 */
export const provideArchive = ({ groupId, artifactId, version, classifier }) =>
  provision(`${artifactId}-${version}`, (folder) => {
    const archive = join(dirname(folder), `${artifactId}-${version}-${classifier}.tar.gz`)
    mvn(folder, 'copy', {
      artifact: `${groupId}:${artifactId}:${version}:tar.gz:${classifier}`,
      outputDirectory: dirname(archive),
      'mdep.useBaseVersion': true,
    })
    run('tar', ['-xzf', archive, '-C', folder], folder)
    rmSync(archive)
  })
