/** Reads a `map` of nginx's configuration as nginx does: texts first, then regular expressions in order, then the default. */
const lookUp = (lines: readonly string[], asked: string): string | undefined => {
  const rows = lines.map((line) => /^\s*(?:"(.*)"|(\S+)) (\S+);$/.exec(line) ?? [])
  const keyed = rows.map(([, quoted, plain, value]) => ({ key: quoted ?? plain ?? '', value }))
  const patterns = keyed.filter(({ key }) => key.startsWith('~'))
  return (
    keyed.find(({ key }) => key.toLowerCase() === asked.toLowerCase())?.value ??
    patterns.find(({ key }) => new RegExp(key.slice(1)).test(asked))?.value ??
    keyed.find(({ key }) => key === 'default')?.value
  )
}

/** The service that this configuration sends a request target to. */
export const serviceOf = (config: string, target: string): string | undefined => {
  const body = /map \$request_path \$service \{\n([^}]*)\n {2}\}/.exec(config)?.[1] ?? ''
  return lookUp(body.split('\n'), target.replace(/\?.*$/, ''))
}
