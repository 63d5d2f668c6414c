import { type Field, fieldsOf } from './fields'
import type { AnyOperation, ExtraFlag, FlagBinding } from './operation'

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
    const name = binding.name ?? field.name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    const takes = field.type === 'boolean' ? 'nothing' : field.type === 'array' ? 'many' : 'one'
    return [{ name, key: field.name, takes, field, binding, extra: null }]
  })
  const extra = (cli!.extraFlags ?? []).map((extra): Flag => {
    const [name, value] = extra.flag.slice(2).split(' ')
    const takes = value === undefined ? 'nothing' : extra.repeatable || value.includes('...') ? 'many' : 'one'
    return { name: name!, key: toCamelCase(name!), takes, field: null, binding: {}, extra }
  })
  return [...own, ...extra]
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
