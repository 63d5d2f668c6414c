import { exampleInput } from '../../../src/http/discovery/example-input'
import type { AnyOperation } from '../../../src/kernel'
import { type JsonSchema, jsonSchemaOf } from '../../../src/kernel/input/json-schema'

/** What a text is filled with: each is hard for some reader of texts. */
export const fillers: Record<string, (n: number) => string> = {
  letter: () => 'a',
  words: (n) => `word${n} `,
  lines: (n) => `line ${n}\n`,
  paragraphs: (n) => `Paragraph ${n} of a text.\n\n`,
  tags: () => '<b>',
  unclosed: () => '<',
  table: () => '<table><tr><td>x',
  brackets: () => '[',
  links: (n) => `[a](https://example.com/${n}) `,
  emphasis: () => '*a_ ',
  code: (n) => `${'`'.repeat((n % 40) + 1)} `,
  quotes: () => '> ',
  bullets: () => '- ',
  cells: () => '|a',
  phrases: (n) => `"word ${n}" `,
  mails: (n) => `a${n}@example.com `,
  secrets: (n) => `password=Hk29dLq81z${n} `,
  numbers: (n) => `${n} 555 0${n} `,
  entities: () => '&amp;',
  commas: () => ',',
  rows: (n) => `${n},"a",b\n`,
  backslashes: () => '\\a',
  emoji: () => '😀',
  addresses: (n) => `http://a${n}.example/ `,
  spaces: () => ' ',
}

/** Those that are read by most of the code, and took the longest before there was a limit. */
export const hardKinds = ['words', 'paragraphs', 'brackets', 'entities', 'secrets']

export interface LargeInput {
  label: string
  input: Record<string, unknown>
}

/** A text of this kind that takes at most `bytes` as JSON. */
export function fillText(kind: string, bytes: number): string {
  return textWriter(fillers[kind]!)(bytes, bytes)
}

/** A text shorter than this is the same work whatever is in it. */
const LONG_TEXT = 4_000

/**
 * Inputs that use the room that a schema leaves, at most `bytes` as JSON: each field at its largest, with all others as given, or as in an example.
 */
export function largestInputs(op: AnyOperation, bytes: number, given: Record<string, unknown> = {}): LargeInput[] {
  const schema = jsonSchemaOf(op.input, 'input')
  const example = { ...exampleInput(op), ...given }
  const inputs: LargeInput[] = []
  for (const kind of ['letter', 'phrases', 'rows', 'backslashes']) {
    const write = textWriter(fillers[kind]!)
    const isFirst = kind === 'letter'
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      if (!isFirst && !hasLongText(field)) continue
      const value = largest(field, bytes - 2_000, write, schema)
      if (value !== undefined) inputs.push({ label: `${name}: ${kind}`, input: { ...example, [name]: value } })
    }
  }
  return inputs
}

function hasLongText(schema: JsonSchema): boolean {
  const options = schema.anyOf ?? [schema]
  return options.some(
    (each) =>
      (isText(each) && isFree(each) && ((each['maxLength'] as number | undefined) ?? Infinity) > LONG_TEXT) ||
      (each.items !== undefined && hasLongText(each.items)) ||
      Object.values(each.properties ?? {}).some(hasLongText) ||
      (typeof each['additionalProperties'] === 'object' && hasLongText(each['additionalProperties'] as JsonSchema)),
  )
}

const isText = ({ type }: JsonSchema) => type === 'string' || (Array.isArray(type) && type.includes('string'))
const isFree = (schema: JsonSchema) => !schema.enum && !schema['format'] && !schema['pattern'] && !('const' in schema)

type Write = (bytes: number, maxLength: number) => string

function textWriter(part: (n: number) => string): Write {
  return (bytes, maxLength) => {
    const parts: string[] = []
    let [size, length] = [0, 0]
    for (let n = 1; ; n++) {
      const next = part(n)
      size += Buffer.byteLength(JSON.stringify(next)) - 2
      length += next.length
      if (size > bytes || length > maxLength) return parts.join('')
      parts.push(next)
    }
  }
}

function largest(schema: JsonSchema, bytes: number, write: Write, root: JsonSchema, n = 1): unknown {
  if (schema['$ref']) {
    const name = String(schema['$ref']).split('/').at(-1)!
    return largest(root.$defs?.[name] ?? {}, bytes, write, root, n)
  }
  if ('const' in schema) return schema['const']
  if (schema.enum) return schema.enum[n % schema.enum.length]
  if (schema.anyOf)
    return largest(schema.anyOf.find((each) => each.type === 'array') ?? schema.anyOf[0]!, bytes, write, root, n)
  const type = Array.isArray(schema.type) ? schema.type.find((each) => each !== 'null') : schema.type
  switch (type) {
    case 'object':
      return largestObject(schema, bytes, write, root, n)
    case 'array':
      return largestArray(schema, bytes, write, root)
    case 'integer':
    case 'number': {
      const least = (schema['minimum'] as number | undefined) ?? 1
      const most = (schema['maximum'] as number | undefined) ?? 1e9
      return n === 1 ? most : Math.min(least + n, most)
    }
    case 'boolean':
      return true
    case 'null':
      return null
    default: {
      const format = schema['format'] as string | undefined
      if (format) return samples[format]?.(n)
      if (schema['pattern']) return undefined
      return write(bytes, (schema['maxLength'] as number | undefined) ?? bytes)
    }
  }
}

const samples: Record<string, (n: number) => string> = {
  uuid: (n) => `5f0c9a5e-2c1b-4b7e-9d53-${n.toString(16).padStart(12, '0')}`,
  date: (n) => new Date(Date.UTC(2027, 0, n % 3_000)).toISOString().slice(0, 10),
  'date-time': (n) => new Date(Date.UTC(2027, 0, 1, n)).toISOString(),
  uri: () => 'https://example.com/',
}

function largestObject(schema: JsonSchema, bytes: number, write: Write, root: JsonSchema, n: number): unknown {
  const properties = Object.entries(schema.properties ?? {})
  const share = Math.floor(bytes / Math.max(1, properties.length)) - 20
  const entries = properties
    .map(([name, property]) => [name, largest(property, share, write, root, n)] as const)
    .filter(([, value]) => value !== undefined)
  const more = schema['additionalProperties']
  if (properties.length === 0 && typeof more === 'object') {
    let left = bytes
    for (let i = 1; left > 0 && i < 100_000; i++) {
      const [name, value] = [`Field${i}`, largest(more as JsonSchema, 1, write, root, i)]
      left -= JSON.stringify([name, value]).length
      entries.push([name, value])
    }
  }
  return Object.fromEntries(entries)
}

/** As many entries as there is room for; if the schema limits their number, each gets its share of the room. */
function largestArray(schema: JsonSchema, bytes: number, write: Write, root: JsonSchema): unknown[] {
  const most = (schema['maxItems'] as number | undefined) ?? Infinity
  const entries: unknown[] = []
  const share = most === Infinity ? 8 : Math.max(8, Math.floor(bytes / most) - 4)
  for (let [left, n] = [bytes, 1]; n <= most; n++) {
    const entry = largest(schema.items ?? {}, share, write, root, n)
    if (entry === undefined) return entries
    left -= JSON.stringify(entry).length + 1
    if (left < 0) return entries
    entries.push(entry)
  }
  return entries
}
