/** The values of `/projects/{id}` in a path by name, decoded; null if the path is another one. `{name?}` can be left out, `{name*}` has any number of parts. */
export function readPathValues(
  template: string,
  path: string,
  { ignoresCase }: { ignoresCase: boolean },
): Record<string, string> | null {
  const parts = template.split('/').slice(1)
  const pattern = parts.map((part) =>
    part.endsWith('?}') ? '(?:/([^/]+))?' : part.endsWith('*}') ? '(?:/(.+))?' : `/${toPattern(part)}`,
  )
  const found = new RegExp(`^${pattern.join('')}$`, ignoresCase ? 'i' : '').exec(path)
  if (!found) return null
  const names = [...template.matchAll(/\{(\w+)[?*]?\}/g)].map(([, name]) => name!)
  const values = names.flatMap((name, at) => {
    const value = found[at + 1]
    return value === undefined ? [] : [[name, decodeURIComponent(value)] as const]
  })
  return Object.fromEntries(values)
}

/** How many parts of a path are fixed: of two templates that match, the one with more of them is meant. */
export function countLiterals(template: string): number {
  return template.split('/').filter((part) => !part.includes('{')).length
}

function toPattern(part: string): string {
  return part
    .split(/(\{\w+\})/)
    .map((one) => (one.startsWith('{') ? '([^/]+)' : one.replace(/[$.*+?^()|[\]\\]/g, '\\$&')))
    .join('')
}
