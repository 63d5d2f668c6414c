import type { AnyOperation, ExtraFlag, FlagBinding } from '../operation'
import { type Field, fieldsOf, isRecordField } from './fields'

/** A flag of the command of an operation: of a field of its input, or an extra one. */
export interface Flag {
  /** Without dashes. */
  name: string
  /** The name of the typed value: the field, or the extra flag in camel case. */
  key: string
  takes: 'nothing' | 'one' | 'many'
  field: Field | null
  binding: FlagBinding
  extra: ExtraFlag | null
}

/** The flags of an operation. A positional or hidden field has none. */
export function flagsOf({ cli, input }: AnyOperation): Flag[] {
  const positional = cli!.args?.map(argumentField) ?? []
  const own = fieldsOf(input).flatMap((field): Flag[] => {
    const binding = cli!.flags?.[field.name] ?? {}
    if (binding === false || positional.includes(field.name)) return []
    const name = nameFlag(field, binding)
    const takes = field.type === 'boolean' ? 'nothing' : field.type === 'array' || isRecordField(field) ? 'many' : 'one'
    return [{ name, key: field.name, takes, field, binding, extra: null }]
  })
  const extra = (cli!.extraFlags ?? []).map((extra): Flag => {
    const [name, value] = extra.flag.slice(2).split(' ')
    const takes = value === undefined ? 'nothing' : extra.repeatable || value.includes('...') ? 'many' : 'one'
    return { name: name!, key: toCamelCase(name!), takes, field: null, binding: {}, extra }
  })
  return [...own, ...extra]
}

function nameFlag({ name }: Field, binding: FlagBinding | false | undefined): string {
  return (binding || undefined)?.name ?? name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** What a description may be to serve as the label of an input: one short phrase. */
const PHRASE = /^[^;:.(]{1,45}$/

/**
 * How people read of a field at a path of the input, such as `criteria.state`: a label and an explanation. A short description is both. A
 * field with a longer one is named as its flag is.
 */
export function describeField({ cli }: AnyOperation, field: Field, path: string): { label: string; about: string } {
  const isNested = path !== field.name
  const extra = isNested
    ? cli?.extraFlags?.find(({ flag }) => flag.slice(2).split(' ')[0] === nameFlag(field, {}))
    : null
  const about = (field.about || extra?.about || '').replace(/\bnull\b/, 'empty')
  if (field.label === null && !isNested && PHRASE.test(about)) return { label: about, about }
  const words = nameFlag(field, isNested ? {} : cli?.flags?.[field.name]).replaceAll('-', ' ')
  return { label: field.label ?? words.charAt(0).toUpperCase() + words.slice(1), about }
}

/** The flag that gives a field. An extra flag with a value has precedence. */
export function flagOfField(op: AnyOperation, field: string): Flag | undefined {
  const flags = flagsOf(op)
  const gives = ({ takes, extra }: Flag) => takes !== 'nothing' && extra?.standsFor?.includes(field)
  return flags.find(gives) ?? flags.find((flag) => flag.field?.name === field)
}

/** The field of an argument: `itemIds` for `itemIds...`. */
export function argumentField(arg: string): string {
  return arg.replace('...', '')
}

export function toCamelCase(name: string): string {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
