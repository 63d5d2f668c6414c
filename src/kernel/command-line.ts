import type { SuggestedInput } from './hint'
import type { AnyOperation } from './operation'

/** A call of an operation as a command for a shell. Fields without a flag are left out. */
export function formatCommandLine({ cli, input: schema, id }: AnyOperation, input: SuggestedInput): string {
  if (!cli) return id
  const positional = (cli.args ?? []).map((arg) => arg.replace('...', ''))
  const args = positional.flatMap((field) => (field in input ? [quote(String(input[field]))] : []))
  const flags = Object.keys(schema.shape).flatMap((field) => {
    const flag = positional.includes(field) || !(field in input) ? null : flagOf(cli, field)
    return flag === null ? [] : [formatFlag(flag, input[field]!)]
  })
  const selecting = [cli.whenFlag ?? []].flat()
  const isSelected = selecting.length === 0 || flags.some((flag) => selecting.includes(flag.split(' ')[0]!.slice(2)))
  return ['studio', cli.command, ...args, ...(isSelected ? [] : [`--${selecting[0]}`]), ...flags].join(' ')
}

/** The flag of a field, without dashes; null if there is none. */
function flagOf({ flags, extraFlags }: NonNullable<AnyOperation['cli']>, field: string): string | null {
  const extra = extraFlags?.find(({ flag, standsFor }) => flag.includes(' ') && standsFor?.includes(field))
  if (extra) return extra.flag.split(' ')[0]!.slice(2)
  const binding = flags?.[field]
  if (binding === false) return null
  return binding?.name ?? field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

function formatFlag(flag: string, value: string | number | boolean): string {
  if (typeof value === 'boolean') return value ? `--${flag}` : `--no-${flag}`
  return `--${flag} ${quote(String(value))}`
}

/** Prefers double quotes, because they work in every shell. */
function quote(value: string): string {
  if (/^(?:[\p{L}\p{N}_@%+=:,./-]+|<[^<>]+>)$/u.test(value)) return value
  return /["$`\\!]/.test(value) ? `'${value.replaceAll("'", `'\\''`)}'` : `"${value}"`
}
