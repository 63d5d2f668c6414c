import { type AnyOperation, type Field, fieldsOf, textToValues } from '../../kernel'
import { type JsonSchema, jsonSchemaOf } from '../../kernel/json-schema'

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
  const loose: string[] = []
  for (let at = 0; at < words.length; ) {
    const word = words[at++]!
    if (!word.startsWith('--')) {
      loose.push(word)
      continue
    }
    const flag = flagNamed(op, word.slice(2))
    if (flag === null) return null
    const values: string[] = []
    const most = flag.kind === 'switch' ? 0 : flag.kind === 'one' ? 1 : words.length
    while (at < words.length && values.length < most && !words[at]!.startsWith('--')) values.push(words[at++]!)
    if (flag.kind === 'switch') typed[flag.name] = true
    else if (flag.kind === 'one') typed[flag.name] = values[0]
    else typed[flag.name] = [...((typed[flag.name] as string[] | undefined) ?? []), ...values]
  }
  return { ...typed, ...positionals(op, loose) }
}

interface Flag {
  name: string
  kind: 'switch' | 'one' | 'many'
}

function flagNamed(op: AnyOperation, word: string): Flag | null {
  const cli = op.cli!
  const field = fieldsOf(op.input).find((candidate) => flagName(op, candidate) === word)
  if (field) {
    const kind = field.type === 'boolean' ? 'switch' : field.type === 'array' ? 'many' : 'one'
    return { name: field.name, kind }
  }
  const extra = cli.extraFlags?.find(({ flag }) => flag.startsWith(`--${word} `))
  if (!extra) return null
  const name = word.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
  return { name, kind: extra.repeatable || extra.flag.includes('...') ? 'many' : 'one' }
}

function flagName(op: AnyOperation, field: Field): string | null {
  const binding = op.cli!.flags?.[field.name]
  if (binding === false) return null
  return binding?.name ?? field.name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

function positionals(op: AnyOperation, words: readonly string[]): Record<string, unknown> {
  const args = op.cli!.args ?? []
  const given = args.map((arg, i) => (arg.endsWith('...') ? [arg.slice(0, -3), words.slice(i)] : [arg, words[i]])) as [
    string,
    string | string[] | undefined,
  ][]
  return Object.fromEntries(given.filter(([, value]) => value !== undefined && value.length > 0))
}

/** The smallest value that a schema accepts. */
function sampleOf(schema: JsonSchema): unknown {
  if ('const' in schema) return schema['const']
  if ('default' in schema) return schema['default']
  if (Array.isArray(schema['enum'])) return schema['enum'][0]
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
