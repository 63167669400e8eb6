import { describe, expect, test } from '@jest/globals'
import { reexportsOf, undocumentedExports } from './doc-comments.ts'
import { codeFiles, linesMatching, productFiles, projectPaths, readSource, type Source } from './sources.ts'

const LINES_MAX = 300
const code = codeFiles()
const product = productFiles()
const paths = projectPaths()

/** These files hold the patterns that they look for. */
const notThisFolder = ({ path }: Source): boolean => !path.startsWith('test/codebase/')
const others = code.filter(notThisFolder)
const texts = paths.filter((path) => /\.(md|json|ts|mts|mjs|cjs|js|yml|yaml|avsc|sh)$|^\.[a-z]|^\.ci\//.test(path)).map(readSource)

const inFolder = (folder: RegExp): readonly Source[] => product.filter(({ path }) => folder.test(path))

describe('files', () => {
  test('the scan sees the code', () => {
    expect(code.map(({ path }) => path)).toContain('packages/kernel/src/decider.ts')
    expect(product.some(({ path }) => /\.(test|fixture)\.ts$/.test(path))).toBe(false)
  })

  test(`none is longer than ${LINES_MAX} lines`, () => {
    expect(code.filter(({ lines }) => lines.length - 1 > LINES_MAX).map(({ path, lines }) => `${path}: ${lines.length - 1}`)).toEqual([])
  })

  test('names are kebab-case and say what is in the file', () => {
    const names = code.map(({ path }) => path).filter((path) => !/(^|\/)\.?[a-z0-9]+([-.][a-z0-9]+)*$/.test(path))
    expect(names).toEqual([])
    expect(code.map(({ path }) => path).filter((path) => /(^|\/)(utils|helpers|types|common|misc)(\.|\/)/.test(path))).toEqual([])
  })

  test('an index is the barrel of a package or service, and there is no other', () => {
    const indexes = code.map(({ path }) => path).filter((path) => /(^|\/)index\.[a-z]+$/.test(path))
    expect(indexes.filter((path) => !/^(packages|services)\/[^/]+\/src\/index\.ts$/.test(path))).toEqual([])
  })

  test('every package has an index', () => {
    const packages = paths.flatMap((path) => /^(packages\/[^/]+)\/package\.json$/.exec(path)?.[1] ?? [])
    expect(packages.filter((folder) => !paths.includes(`${folder}/src/index.ts`))).toEqual([])
  })
})

describe('text', () => {
  test('nothing is left to do in comments', () => {
    expect(linesMatching(others, /\b(TODO|FIXME|HACK)\b|(\/\/|\*).*\bXXX\b/)).toEqual([])
  })

  test('no test is left out or runs alone', () => {
    const leftOut = /\b(describe|test|it)\.(only|skip|todo)\(|\b(fdescribe|fit|xdescribe|xit|xtest)\(/
    // The suite of a port reports by name what an adapter can't do; nothing else may be skipped, and nothing else there.
    const missingCapability = /^test\/contract\/[a-z-]+\/adapter\.ts:\d+: if \(capability === undefined\) test\.skip\(name, \(\) => \{\}\)$/
    expect(linesMatching(others, leftOut).filter((line) => !missingCapability.test(line))).toEqual([])
  })

  test('the product stands for itself: no word about other systems of its kind', () => {
    expect(linesMatching(texts.filter(notThisFolder), /\bthe peer\b|\bpeer's\b/i)).toEqual([])
  })

  test('no path of one machine', () => {
    expect(linesMatching(texts.filter(notThisFolder), /(^|[\s'"`(=:])\/(work|home|Users|root)\//)).toEqual([])
  })

  test('no compiler or linter is silenced without a reason', () => {
    expect(linesMatching(others, /@ts-(ignore|nocheck)|@ts-expect-error\s*$|(eslint|oxlint)-disable(?!.*--)/)).toEqual([])
  })
})

describe('dependencies', () => {
  test('the lock file names no registry', () => {
    expect(linesMatching([readSource('package-lock.json')], /"resolved": "http/)).toEqual([])
  })

  test('the lock file names the packages of every platform: npm ci refuses it otherwise', () => {
    const locked: Readonly<Record<string, { readonly optionalDependencies?: object }>> = JSON.parse(
      readSource('package-lock.json').text,
    ).packages
    const isLocked = (path: string, name: string): boolean =>
      [
        `${path}/node_modules/${name}`,
        `${path.slice(0, path.lastIndexOf('node_modules/'))}node_modules/${name}`,
        `node_modules/${name}`,
      ].some((place) => place in locked)
    const missing = Object.entries(locked).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter((name) => !isLocked(path, name)),
    )
    expect(missing).toEqual([])
  })

  test('no package of the product is installed twice in one version: each start read four copies of a table of types', () => {
    const { packages }: { readonly packages: Readonly<Record<string, { readonly version?: string; readonly dev?: boolean }>> } = JSON.parse(
      readSource('package-lock.json').text,
    )
    const installed = Object.entries(packages).flatMap(([path, { version, dev = false }]) =>
      dev || version === undefined || !path.includes('node_modules/')
        ? []
        : [`${path.slice(path.lastIndexOf('node_modules/'))}@${version}`],
    )
    expect(installed.filter((one, at) => installed.indexOf(one) !== at)).toEqual([])
  })

  test('no file names a registry', () => {
    expect(linesMatching(texts.filter(notThisFolder), /registry\.(npmjs|yarnpkg)|_authToken|^registry=/)).toEqual([])
  })

  test('every version is pinned', () => {
    const manifests = paths.filter((path) => path === 'package.json' || /^(packages|services)\/[^/]+\/package\.json$/.test(path))
    const versions = manifests.flatMap((path) => {
      const { dependencies = {}, devDependencies = {} } = JSON.parse(readSource(path).text)
      return Object.entries({ ...dependencies, ...devDependencies }).map(([name, version]) => `${path}: ${name}@${String(version)}`)
    })
    expect(versions.filter((entry) => !/@\d+\.\d+\.\d+(-[\w.]+)?$/.test(entry))).toEqual([])
  })
})

describe('product code', () => {
  test('zod is imported as a namespace: of its object nothing is left out of a bundle', () => {
    expect(linesMatching(product, /^import \{.*\bz\b.*\} from 'zod'/)).toEqual([])
  })

  test('every function and type that a package gives away says what it is', () => {
    const byPath = new Map(product.map((source) => [source.path, source]))
    const indexes = inFolder(/^packages\/[^/]+\/src\/index\.ts$/)
    const given = indexes.flatMap((index) => reexportsOf(index).map(({ from, names }) => ({ source: byPath.get(from), names })))
    expect(given.length).toBeGreaterThan(20)
    expect(given.flatMap(({ source, names }) => (source === undefined ? [] : undocumentedExports(source, names)))).toEqual([])
  })

  test('kernel, events and domains know no clock, no randomness and no environment', () => {
    const impure =
      /\b(Date\.now|new Date\(\)|Math\.random|performance\.now|setTimeout|setInterval|setImmediate|randomUUID|console\.|fetch\()|\bprocess\./
    expect(linesMatching(inFolder(/^packages\/(kernel|events|access|routing|costs|analytics|webhooks)\//), impure)).toEqual([])
  })

  test('only entry points read the environment', () => {
    const rest = product.filter(({ path }) => !/^services\/[^/]+\/src\/(main|program|[a-z-]*worker)\.ts$/.test(path))
    expect(linesMatching(rest, /\bprocess\.env\b/)).toEqual([])
  })

  test('runtime and http import only types of domains', () => {
    const value =
      /^(import|export) (?!type\b).*from '@switchyard\/(access|routing|costs|analytics|webhooks)'|^import '@switchyard\/(access|routing|costs|analytics|webhooks)'/
    expect(linesMatching(inFolder(/^packages\/(runtime|http)\//), value)).toEqual([])
  })

  test('erasable TypeScript: no enum, no namespace', () => {
    expect(linesMatching(product, /^\s*(export )?(declare )?(const )?(enum|namespace) [A-Z]/)).toEqual([])
  })
})
