import type { Command } from 'commander'
import type { AnyOperation } from '../src/kernel'
import { globalFlagHelp } from './invocation'
import type { ManifestEntry } from './manifest'

const mainCommands = ['import', 'copy-sanitize', 'search', 'batch-update', 'brief', 'book', 'reschedule']
const startCommands = ['demo', 'serve', 'sandbox']

/** `studio --help`: what it is for, what most people run, all else by noun. */
export function rootHelp(manifest: readonly ManifestEntry[]): string {
  const named = new Map(manifest.map((entry) => [entry.command, entry.summary]))
  const nouns = new Map<string, string[]>()
  for (const { command } of manifest) {
    const [noun, ...verb] = command.split(' ')
    if (verb.length > 0) nouns.set(noun!, [...(nouns.get(noun!) ?? []), verb.join(' ')])
  }
  return [
    'studio — a workspace for tracker work items, and a scheduler for loading docks',
    '',
    'Usage: studio <command> [arguments] [flags]',
    '',
    'Begin here:',
    ...startCommands.map((command) => line(command, named.get(command)!)),
    '',
    'Main commands:',
    ...mainCommands.map((command) => line(command, named.get(command)!)),
    '',
    'All else, by noun (studio <noun> --help):',
    ...[...nouns].map(([noun, verbs]) => line(noun, verbs.join(', '))),
    '',
    'Flags of every command:',
    ...globalFlagHelp.map(([flag, about]) => line(flag, about)),
    line('--version', 'print the version'),
    '',
    'Without a tracker of your own (STUDIO_TRACKER_URL), commands work on a sandbox with sample work.',
    'Try: studio demo · studio import 101 · studio search "dock door" · studio <command> --help',
    '',
  ].join('\n')
}

/** `studio item`: the verbs of a noun. */
export function nounHelp(noun: string, manifest: readonly ManifestEntry[]): string {
  const entries = manifest.filter((entry) => entry.command.startsWith(`${noun} `))
  const width = Math.max(16, ...entries.map((entry) => entry.command.length + 2))
  return [
    `Usage: studio ${noun} <command> [arguments] [flags]`,
    '',
    'Commands:',
    ...entries.map((entry) => line(entry.command, entry.summary, width)),
    '',
    `Help for one: studio ${entries[0]!.command} --help`,
    '',
  ].join('\n')
}

function line(name: string, about: string, width = 16): string {
  return `  ${name.padEnd(width)}  ${about}`
}

/** What every command has in common: no exit of its own, examples, exit code words. */
export function finishCommand(command: Command, operations: readonly AnyOperation[]): Command {
  const examples = operations.flatMap((op) => op.cli!.examples)
  const related = [...new Set(operations.flatMap((op) => op.cli!.seeAlso ?? []))]
  const about = operations.map((op) => op.description).filter(Boolean)
  return dressCommand(command, { examples, related, about: about.join('\n\n') })
}

export function dressCommand(
  command: Command,
  text: { examples: string[]; related?: string[]; about?: string },
): Command {
  command.exitOverride().configureOutput({ writeOut: () => {}, writeErr: () => {} })
  command.configureHelp({ commandUsage: (cmd) => `studio ${cmd.name()} ${cmd.usage()}`, helpWidth: 100 })
  command.helpOption('-h, --help', 'show this help')
  const parts = [
    text.about ? `\n${text.about}` : '',
    text.examples.length ? `\nExamples:\n${text.examples.map((example) => `  ${example}`).join('\n')}` : '',
    text.related?.length ? `\nRelated: ${text.related.map((name) => `studio ${name}`).join(', ')}` : '',
    '\nFlags of every command (--json, --fields, --quiet, …): studio --help',
  ]
  return command.addHelpText('after', parts.filter(Boolean).join('\n'))
}
