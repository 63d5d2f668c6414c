import { type Command, InvalidArgumentError, Option } from 'commander'
import * as z from 'zod'
import { type AnyOperation, StudioError } from '../../src/kernel'
import { compareSortValues, parseSortKeys } from '../../src/kernel/work/sort-keys'
import type { Invocation } from '../start/invocation'
import { limitNotice, MAX_ENTRIES } from './limit-notice'
import { getOperationUi } from './operation-ui'

/** Adds `--sort` and `--limit` to a command that prints a list. */
export function addListFlags(command: Command, op: AnyOperation): void {
  if (!givesList(op)) return
  if (!('sort' in op.input.shape))
    command.addOption(
      new Option('--sort <fields>', 'Sort by these fields, separated by commas; a leading - reverses the order'),
    )
  if (!('limit' in op.input.shape))
    command.addOption(new Option('--limit <n>', 'Show at most this many entries').argParser(parseLimit))
}

function givesList(op: AnyOperation): boolean {
  return op.output instanceof z.ZodArray
}

function parseLimit(text: string): number {
  if (/^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_ENTRIES) return Number(text)
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${MAX_ENTRIES}.`)
}

/** Throws if the entries do not have the field to sort by, before anything is done. */
export function requireSort(op: AnyOperation, command: Command): void {
  const { sort } = command.opts() as { sort?: string }
  if (sort === undefined || !givesList(op) || 'sort' in op.input.shape) return
  const { shape } = (op.output as z.ZodArray).element as z.ZodObject
  const unknown = parseSortKeys(sort).find(({ field }) => !Object.hasOwn(shape, field))
  if (unknown === undefined) return
  throw new StudioError('invalid', `--sort: no such field: ${unknown.field}.`, {
    hint: `Valid fields: ${Object.keys(shape).join(', ')}`,
  })
}

/** The operation that reads no more of a list than `--limit` shows, and the length of the list once it has run; null if it read it all. */
export function limitReading(
  op: AnyOperation,
  command: Command,
): { limited: AnyOperation; total: { current: number | null } } {
  const { sort, limit } = command.opts() as { sort?: string; limit?: number }
  const total: { current: number | null } = { current: null }
  const sortsHere = sort !== undefined && !('sort' in op.input.shape)
  if (!op.readWindow || limit === undefined || sortsHere) return { limited: op, total }
  const limited: AnyOperation = {
    ...op,
    async run(ctx, input) {
      const found = await op.readWindow!(ctx, input, { from: null, count: limit })
      total.current = found.total
      return found.entries
    },
  }
  return { limited, total }
}

/**
 * The list in the requested order and length, with a notice if entries were left out.
 * @param total the length of the whole list, if `result` is only a part of it.
 */
export function sortAndLimit(
  op: AnyOperation,
  command: Command,
  result: unknown,
  total: number | null = null,
): { shown: unknown; notice: string | null } {
  if (!givesList(op) || !Array.isArray(result)) return { shown: result, notice: null }
  const { sort, limit } = command.opts() as { sort?: string; limit?: number }
  const sorted = sort !== undefined && !('sort' in op.input.shape) ? sortBy(result, sort) : result
  const length = total ?? sorted.length
  return { shown: sorted.slice(0, limit), notice: limitNotice(limit, length) }
}

function sortBy(entries: readonly Record<string, unknown>[], sort: string): Record<string, unknown>[] {
  const keys = parseSortKeys(sort)
  const valuesOf = (entry: Record<string, unknown>) => keys.map(({ field }) => entry[field])
  return [...entries].sort((a, b) => compareSortValues(keys, valuesOf(a), valuesOf(b)))
}

export function addFormatFlag(command: Command, op: AnyOperation): void {
  const { format, formats } = getOperationUi(op.id)
  if (!format) return
  const names = [format, ...Object.keys(formats ?? {})]
  command.addOption(new Option('--format <name>', `Output format (default: ${format})`).choices(names))
}

/** The requested format, by `--format` or by the name of the `--out` file; null for the default. */
export function chosenFormat(command: Command, { flags }: Invocation): string | null {
  const { format, out } = command.opts() as { format?: string; out?: string }
  if (format !== undefined && flags.json)
    throw new StudioError('invalid', 'Specify either --format or --json, not both.')
  return format ?? (flags.json ? null : formatOfFile(command, out))
}

function formatOfFile(command: Command, out: string | undefined): string | null {
  const names = command.options.find((option) => option.long === '--format')?.argChoices ?? []
  return names.find((name) => out?.toLowerCase().endsWith(`.${name}`)) ?? null
}
