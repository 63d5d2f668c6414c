import { parseJson } from '../../kernel/json'
import type { Fields } from '../forms/form'

/** How a form names the values of a conflict with the tracker, by the property of the draft. */
export const resolutionNames = (property: string) => ({
  choice: `choice.${property}`,
  result: `result.${property}`,
  yours: `yours.${property}`,
  theirs: `theirs.${property}`,
})

/** The input for publishing a draft: what was chosen settles its conflicts. Values are JSON, because some are numbers. */
export function takeResolutions(fields: Fields): Fields {
  const resolved: Fields = Object.create(null)
  const rest: Fields = {}
  for (const [name, value] of Object.entries(fields)) {
    const [kind, property] = splitName(name)
    if (kind === null) rest[name] = value
    else if (kind === 'choice')
      resolved[property] =
        value === 'result' ? fields[`result.${property}`] : parseJson(String(fields[`${value}.${property}`] ?? 'null'))
  }
  return Object.keys(resolved).length === 0 ? rest : { ...rest, resolved }
}

function splitName(name: string): [kind: string | null, property: string] {
  const [, kind = null, property = ''] = /^(choice|result|yours|theirs)\.(.+)$/s.exec(name) ?? []
  return [kind, property]
}
