import { readFileSync } from 'node:fs'

/** A line of a Dockerfile: `COPY packages packages` is `{ name: 'COPY', rest: 'packages packages' }`. */
interface Instruction {
  readonly name: string
  readonly rest: string
}

/** One `FROM` and what follows it. */
export interface Stage {
  readonly name: string
  readonly base: string
  readonly instructions: readonly Instruction[]
}

const instructionOf = (line: string): Instruction => {
  const [name = '', ...rest] = line.split(' ')
  return { name, rest: rest.join(' ') }
}

/** The stages of the Dockerfile, in order. It continues no line, which keeps this short. */
export const readDockerfile = (): readonly Stage[] => {
  const lines = readFileSync('infra/docker/Dockerfile', 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  return lines.map(instructionOf).reduce<readonly Stage[]>((stages, { name, rest }) => {
    const last = stages.at(-1)
    if (name === 'FROM' || last === undefined) {
      const [base = '', , alias = ''] = rest.split(' ')
      return [...stages, { name: alias, base, instructions: [] }]
    }
    return [...stages.slice(0, -1), { ...last, instructions: [...last.instructions, { name, rest }] }]
  }, [])
}
