import type { Argument, Option } from 'commander'
import * as z from 'zod'
import { loadOperation } from '../../src/catalog'
import { listSettingKeys } from '../../src/config/services/list-settings'
import { type AnyOperation, findNeed, flagsOf } from '../../src/kernel'
import type { Capability } from '../../src/tracker'
import { buildCommand, deriveManifest } from '../start/derive-manifest'
import type { ManifestEntry } from '../start/invocation'
import type { CommandSpec, FlagSpec, ValueSpec } from './spec'

export async function deriveCommands(): Promise<CommandSpec[]> {
  return Promise.all((await deriveManifest()).map(specOf))
}

async function specOf(entry: ManifestEntry): Promise<CommandSpec> {
  const { command, summary, operations } = entry
  const built = await buildCommand(entry)
  const loaded = await Promise.all(operations.map(loadOperation))
  const fields = [...new Set(loaded.flatMap(fieldsOfAnswer))]
  const needs = new Map(loaded.flatMap(listFlagNeeds))
  return {
    command,
    summary,
    args: built.registeredArguments.map((arg) => ({ value: valueOfArgument(command, arg), many: arg.variadic })),
    flags: built.options
      .filter((option) => option.long !== undefined && !option.hidden)
      .map((option) => flagOf(option, { command, fields, needs })),
    fields,
  }
}

interface OwnCommand {
  command: string
  /** Fields of its answer. */
  fields: readonly string[]
  /** Capabilities by flag. */
  needs: ReadonlyMap<string, Capability>
}

function listFlagNeeds(op: AnyOperation): [flag: string, need: Capability][] {
  return flagsOf(op).flatMap(({ name, key }) => {
    const need = findNeed(op.fieldNeeds, key)
    return need === null ? [] : [[`--${name}`, need as Capability]]
  })
}

function flagOf(option: Option, own: OwnCommand): FlagSpec {
  const needs = own.needs.get(option.long!)
  const flag: FlagSpec = { name: option.long!, about: option.description, ...(needs ? { needs } : {}) }
  if (!option.required && !option.optional) return flag
  return { ...flag, value: valueOfFlag(option, own), ...(option.variadic ? { many: true } : {}) }
}

const flagValues: Record<string, ValueSpec> = {
  '--folder': 'folder',
  '--parent': 'folder',
  '--move-to': 'folder',
  '--facility': 'facility',
  '--prompt': 'prompt',
  '--feature': 'item',
  '--child': 'item',
  '--predecessor': 'item',
  '--successor': 'item',
  '--related': 'item',
  '--item': 'item',
  '--draft': 'draft',
  '--set': 'field',
  '--filter': 'filter',
  '--saved': 'filter',
  '--view': 'view',
  '--columns': 'fields',
  '--file': 'file',
  '--out': 'file',
  '--scopes': ['read', 'write', 'admin'],
}

function valueOfFlag(option: Option, { command, fields }: OwnCommand): ValueSpec {
  if (option.argChoices) return option.argChoices
  if (option.long === '--sort') return fields
  if (option.long === '--parent' && !command.startsWith('folder ')) return 'item'
  if (option.long === '--to' && command === 'draft publish') return 'item'
  // There it sets variables of a prompt.
  if (option.long === '--set' && command === 'draft refine') return null
  return flagValues[option.long!] ?? null
}

/** The kind of a command's first argument, by its noun or by the whole command. */
const argumentValues: Record<string, ValueSpec> = {
  item: 'item',
  draft: 'draft',
  folder: 'folder',
  filter: 'filter',
  view: 'view',
  'prompt get': 'prompt',
  facility: 'facility',
  appointment: 'appointment',
  import: 'item',
  open: 'item',
  'copy-sanitize': 'item',
  'batch-update': 'item',
  'priorities set': 'item',
  reschedule: 'appointment',
  chat: 'draft',
  'appointment import': 'file',
  backup: 'file',
  restore: 'file',
  'item search': null,
}

const NO_IDS = /^(name|prompt|query|q|words?)$/

function valueOfArgument(command: string, argument: Argument): ValueSpec {
  if (argument.argChoices) return argument.argChoices
  if (command.startsWith('config ') && argument.name() !== 'value') return listSettingKeys()
  if (command in argumentValues) return argumentValues[command] ?? null
  return NO_IDS.test(argument.name()) ? null : (argumentValues[command.split(' ')[0]!] ?? null)
}

function fieldsOfAnswer({ output }: AnyOperation): string[] {
  const entry = output instanceof z.ZodArray ? output.element : output
  return entry instanceof z.ZodObject ? Object.keys(entry.shape) : []
}
