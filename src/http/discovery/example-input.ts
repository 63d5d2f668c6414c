import { type AnyOperation, argumentField, type Flag, flagsOf, textToValues } from '../../kernel'
import { type JsonSchema, jsonSchemaOf } from '../../kernel/input/json-schema'

/**
 * A valid example input: the one of its HTTP binding, else that of the first command-line example that needs no shell, else one derived
 * from the schema. Null if none of them passes the check of the operation.
 */
export function exampleInput(op: AnyOperation): Record<string, unknown> | null {
  const typed = (op.cli?.examples ?? []).map((line) => inputOfLine(op, line))
  const candidates = [op.http?.example ?? null, ...typed, sampleOf(jsonSchemaOf(op.input, 'input'))]
  const fits = candidates.find((input) => input !== null && op.input.safeParse(input).success)
  return (fits as Record<string, unknown> | undefined) ?? null
}

const NEEDS_A_SHELL = /[|<>$`;&]|(?:^|\s)-(?:\s|$)/

function inputOfLine(op: AnyOperation, line: string): Record<string, unknown> | null {
  const cli = op.cli!
  if (NEEDS_A_SHELL.test(line) || !`${line} `.startsWith(`studio ${cli.command} `) || cli.contents) return null
  const words = wordsOf(line).slice(1 + cli.command.split(' ').length)
  const typed = typedValues(op, words)
  if (typed === null) return null
  try {
    return textToValues(op.input, cli.toInput ? cli.toInput(typed) : typed)
  } catch {
    return null
  }
}

function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2]!)
}

/** Null if a flag gives no field of the input. */
function typedValues(op: AnyOperation, words: readonly string[]): Record<string, unknown> | null {
  const typed: Record<string, unknown> = {}
  const positional: string[] = []
  let open: Flag | null = null
  for (const word of words) {
    if (word.startsWith('--')) {
      const flag = flagsOf(op).find(({ name }) => name === word.slice(2))
      if (!flag || (flag.extra && flag.takes === 'nothing')) return null
      open = flag.takes === 'nothing' ? null : flag
      if (open === null) typed[flag.key] = true
    } else if (open?.takes === 'many') typed[open.key] = [...((typed[open.key] as string[] | undefined) ?? []), word]
    else if (open) {
      typed[open.key] = word
      open = null
    } else positional.push(word)
  }
  for (const [i, arg] of (op.cli!.args ?? []).entries()) {
    const value = arg.endsWith('...') ? positional.slice(i) : (positional[i] ?? [])
    if (value.length > 0) typed[argumentField(arg)] = value
  }
  return typed
}

/** The smallest value that a schema accepts. */
function sampleOf(schema: JsonSchema): unknown {
  if ('const' in schema) return schema['const']
  if ('default' in schema) return schema.default
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) return sampleOf(schema.anyOf[0]!)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  switch (type) {
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((name) => [name, sampleOf(schema.properties?.[name] ?? {})]),
      )
    case 'array':
      return (schema['minItems'] as number) > 0 ? [sampleOf(schema.items ?? {})] : []
    case 'integer':
    case 'number':
      return (schema['minimum'] as number | undefined) ?? 1
    case 'boolean':
      return false
    case 'null':
      return null
    default:
      return samplesByFormat[String(schema['format'])] ?? 'text'
  }
}

const samplesByFormat: Record<string, string> = {
  uuid: '5f0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10',
  date: '2027-03-01',
  'date-time': '2027-03-01T12:00:00.000Z',
  uri: 'https://example.com/',
}
