import type { Command } from 'commander'
import { helpTopics } from '../help-topics'
import { buildCommand } from '../start/derive-manifest'
import { getHelpText } from '../start/help'
import { globalFlagHelp } from '../start/invocation'
import { loadManifest } from '../start/manifest'

export type Term = readonly [name: string, about: string]

export interface ReferenceEntry {
  /** The words after `studio`. */
  command: string
  /** `studio item get [options] <id>` */
  usage: string
  summary: string
  about: string | null
  args: Term[]
  flags: Term[]
  examples: string[]
  /** Commands, as typed after `studio`. */
  related: string[]
}

/** The content of the reference pages. */
export interface Reference {
  commands: ReferenceEntry[]
  globalFlags: Term[]
  topics: { name: string; summary: string; text: string }[]
}

export async function loadReference(): Promise<Reference> {
  const commands = await Promise.all(
    (await loadManifest()).map(async (entry) => entryOf(entry.command, await buildCommand(entry))),
  )
  return {
    commands: commands.sort((a, b) => (a.command < b.command ? -1 : 1)),
    globalFlags: [...globalFlagHelp],
    topics: Object.entries(helpTopics).map(([name, { summary, text }]) => ({ name, summary, text: text() })),
  }
}

function entryOf(command: string, built: Command): ReferenceEntry {
  const help = built.createHelp()
  const { about = null, examples, related = [] } = getHelpText(built)
  return {
    command,
    usage: `studio ${command} ${built.usage()}`,
    summary: built.description(),
    about,
    args: help.visibleArguments(built).map((arg) => [help.argumentTerm(arg), help.argumentDescription(arg)]),
    flags: help
      .visibleOptions(built)
      .filter(({ long }) => long !== '--help')
      .map((option) => [help.optionTerm(option), help.optionDescription(option)]),
    examples,
    related,
  }
}
