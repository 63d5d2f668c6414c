import { type Command, Option } from 'commander'
import { type AnyOperation, StudioError } from '../src/kernel'
import type { Invocation } from './invocation'
import { escapeForTerminal } from './terminal-safe'
import type { View } from './views'

type Formats = Record<string, () => Promise<View>>

/** Results that can be written in other ways than for a terminal. The first name is what a person reads anyway. */
const formats: Record<string, { usual: string; others: Formats }> = {
  'appointments.list': {
    usual: 'table',
    others: {
      csv: async () => (await import('./views/appointments-csv')).renderAppointmentsCsv,
      ics: async () => (await import('./views/appointments-ics')).renderAppointmentsCalendar,
    },
  },
  'drafts.get': {
    usual: 'text',
    others: {
      md: async () => (await import('./views/draft-file')).renderDraftFile,
      json: async () => (result) => `${escapeForTerminal(JSON.stringify(result, null, 2))}\n`,
    },
  },
  'reports.hierarchy': {
    usual: 'tree',
    others: {
      table: async () => (await import('./views/reports/hierarchy-table')).renderHierarchyTable,
      csv: async () => (await import('./views/reports/hierarchy-csv')).renderHierarchyCsv,
      md: async () => (await import('./views/reports/hierarchy-markdown')).renderHierarchyMarkdown,
      html: async () => (await import('./views/reports/hierarchy-page')).renderHierarchyPage,
    },
  },
  'reports.summary': {
    usual: 'text',
    others: {
      md: async () => (await import('./views/reports/summary-markdown')).renderSummaryMarkdown,
      html: async () => (await import('./views/reports/summary-page')).renderSummaryPage,
      csv: async () => (await import('./views/reports/summary-csv')).renderSummaryCsv,
    },
  },
  'reports.briefing': {
    usual: 'md',
    others: {
      html: async () => (await import('./views/reports/briefing-page')).renderBriefingPage,
      txt: async () => (await import('./views/reports/briefing-plain')).renderBriefingPlain,
    },
  },
  'facilities.board': {
    usual: 'text',
    others: {
      svg: async () => (await import('./views/board/drawing')).renderBoardSvg,
      html: async () => (await import('./views/board/page')).renderBoardPage,
    },
  },
}

export function addFormatFlag(command: Command, op: AnyOperation): void {
  const known = formats[op.id]
  if (!known) return
  const names = [known.usual, ...Object.keys(known.others)]
  command.addOption(new Option('--format <name>', `how to write it (default: ${known.usual})`).choices(names))
}

/** The format that was asked for, by name or by that of the file to write; null for the usual one. */
export function chosenFormat(command: Command, { flags }: Invocation): string | null {
  const { format, out } = command.opts() as { format?: string; out?: string }
  if (format !== undefined && flags.json) throw new StudioError('invalid', 'Give either --format or --json, not both.')
  return format ?? (flags.json ? null : formatOfFile(command, out))
}

function formatOfFile(command: Command, out: string | undefined): string | null {
  const names = command.options.find((option) => option.long === '--format')?.argChoices ?? []
  return names.find((name) => out?.toLowerCase().endsWith(`.${name}`)) ?? null
}

export async function viewFor(operationId: string, format: string | null): Promise<View> {
  const other = format === null ? undefined : formats[operationId]?.others[format]
  if (other) return other()
  const { viewOf } = await import('./views')
  return viewOf(operationId)
}
