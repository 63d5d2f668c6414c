import type { SuggestedInput } from '../hint'
import type { AnyOperation } from '../operation'
import { quoteForShell } from '../text/shell'
import { argumentField, flagOfField } from './cli-flags'

/** A call of an operation as a command for a shell. Fields without a flag are left out. */
export function formatCommandLine(op: AnyOperation, input: SuggestedInput): string {
  const { cli, id } = op
  if (!cli) return id
  const positional = (cli.args ?? []).map(argumentField)
  const args = positional.flatMap((field) => (field in input ? [quoteForShell(String(input[field]))] : []))
  const flags = Object.keys(op.input.shape).flatMap((field) => {
    const flag = positional.includes(field) || !(field in input) ? undefined : flagOfField(op, field)
    return flag ? [formatFlag(flag.name, input[field]!)] : []
  })
  const selecting = [cli.whenFlag ?? []].flat()
  const isSelected = selecting.length === 0 || flags.some((flag) => selecting.includes(flag.split(' ')[0]!.slice(2)))
  return ['studio', cli.command, ...args, ...(isSelected ? [] : [`--${selecting[0]}`]), ...flags].join(' ')
}

function formatFlag(flag: string, value: string | number | boolean): string {
  if (typeof value === 'boolean') return value ? `--${flag}` : `--no-${flag}`
  return `--${flag} ${quoteForShell(String(value))}`
}
