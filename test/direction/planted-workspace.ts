import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const PACKAGES = [
  'kernel',
  'events',
  'access',
  'routing',
  'routing-data',
  'invoice-files',
  'runtime',
  'http',
  'composition',
  'embedded',
  'log-memory',
  'log-embedded',
  'outbound',
  'testing',
]
const SERVICES = ['decide', 'query-api', 'operator', 'standalone']
const DRIVERS = [
  'kafkajs',
  '@kafkajs/confluent-schema-registry',
  'mongodb',
  'lmdb',
  'avsc',
  'jsonwebtoken',
  'lossless-json',
  '@node-rs/argon2',
  'express',
  'nodemailer',
  'pino',
  'prom-client',
  'zod',
  'csv-parse',
  'unpdf',
  'papaparse',
]

const write = (root: string, path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

const link = (root: string, name: string, folder: string): void => {
  mkdirSync(join(root, 'node_modules/@switchyard'), { recursive: true })
  symlinkSync(join(root, folder), join(root, 'node_modules/@switchyard', name))
}

/**
 * A small copy of the project's folders in a temporary place, with the drivers as empty packages and the given files in
 * it. Returns its path.
 */
export const plantWorkspace = (files: Readonly<Record<string, string>>): string => {
  const root = mkdtempSync(join(tmpdir(), 'switchyard-direction-'))
  const manifest = (name: string): string => JSON.stringify({ name, type: 'module', exports: { '.': { source: './src/index.ts' } } })
  for (const folder of [...PACKAGES.map((name) => `packages/${name}`), ...SERVICES.map((name) => `services/${name}`)]) {
    const name = folder.slice(folder.indexOf('/') + 1)
    write(root, `${folder}/package.json`, manifest(`@switchyard/${name}`))
    write(root, `${folder}/src/index.ts`, 'export const own = 1\nexport interface Own { readonly own: number }\n')
    link(root, name, folder)
  }
  for (const driver of DRIVERS) {
    write(root, `node_modules/${driver}/package.json`, JSON.stringify({ name: driver, main: 'index.js' }))
    write(root, `node_modules/${driver}/index.js`, 'module.exports = {}\n')
  }
  for (const [path, text] of Object.entries(files)) write(root, path, text)
  return root
}
