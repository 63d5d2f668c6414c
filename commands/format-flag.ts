import { type Command, Option } from 'commander'
import { type AnyOperation, StudioError } from '../src/kernel'
import type { Invocation } from './invocation'
import { getOperationUi } from './operation-ui'

export function addFormatFlag(command: Command, op: AnyOperation): void {
  const { formats } = getOperationUi(op.id)
  if (!formats) return
  const names = [formats.default, ...Object.keys(formats.others)]
  command.addOption(new Option('--format <name>', `output format (default: ${formats.default})`).choices(names))
}

/** The requested format, by `--format` or by the name of the `--out` file; null for the default. */
export function chosenFormat(command: Command, { flags }: Invocation): string | null {
  const { format, out } = command.opts() as { format?: string; out?: string }
  if (format !== undefined && flags.json) throw new StudioError('invalid', 'Give either --format or --json, not both.')
  return format ?? (flags.json ? null : formatOfFile(command, out))
}

function formatOfFile(command: Command, out: string | undefined): string | null {
  const names = command.options.find((option) => option.long === '--format')?.argChoices ?? []
  return names.find((name) => out?.toLowerCase().endsWith(`.${name}`)) ?? null
}
