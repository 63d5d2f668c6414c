import { paragraphsOf } from '../start/help'
import type { Reference, ReferenceEntry, Term } from './reference'

/** The reference as a manual page in `man` macros. */
export function manPage({ commands, globalFlags, topics }: Reference, version: string): string {
  return [
    `.TH STUDIO 1 "" ${quoted(`story-studio ${version}`)} "User Commands"`,
    '.SH NAME',
    'studio \\- a local workspace for work items of a tracker, and a scheduler for loading docks',
    '.SH SYNOPSIS',
    '.B studio',
    '.I command',
    '.RI [ arguments ]',
    '.RI [ flags ]',
    '.SH DESCRIPTION',
    prose(
      'studio caches work items of a tracker on this machine and offers search, history, drafts, reports and briefings for them. It also schedules loading docks and never books one twice.',
    ),
    '.PP',
    prose('Without a tracker of your own, commands use a sandbox with sample data. To get started: studio demo'),
    '.SH OPTIONS',
    'Every command takes these flags.',
    ...terms([...globalFlags, ['--version', 'Print the version']]),
    '.SH COMMANDS',
    ...commands.flatMap(section),
    ...topics.flatMap(({ name, summary, text }) => [
      `.SH ${quoted(name.replaceAll('-', ' ').toUpperCase())}`,
      prose(`${summary}.`),
      ...block(text),
    ]),
    '.SH SEE ALSO',
    prose('studio help <topic>; studio <command> --help; studio openapi for the same over HTTP.'),
    '',
  ].join('\n')
}

function section({ usage, summary, about, args, flags, examples, related }: ReferenceEntry): string[] {
  return [
    `.SS ${quoted(usage)}`,
    prose(`${summary}.`),
    ...paragraphsOf(about).flatMap(({ text, keepsLines }) =>
      keepsLines ? block(text) : ['.PP', prose(text.replaceAll('\n', ' '))],
    ),
    ...terms([...args, ...flags]),
    ...(examples.length > 0 ? ['.PP', 'Examples:', ...block(examples.join('\n'))] : []),
    ...(related.length > 0 ? ['.PP', prose(`Related: ${related.map((name) => `studio ${name}`).join(', ')}.`)] : []),
  ]
}

function terms(list: readonly Term[]): string[] {
  return list.flatMap(([name, about]) => ['.TP', `.B ${quoted(name)}`, about === '' ? '\\&' : prose(about)])
}

/** Preformatted text. */
function block(text: string): string[] {
  return ['.PP', '.RS 4', '.nf', ...text.trimEnd().split('\n').map(line), '.fi', '.RE']
}

function prose(text: string): string {
  return line(text.replaceAll('`', ''))
}

/** A line that starts with a dot or an apostrophe would be a request. */
function line(text: string): string {
  return `${/^[.']/.test(text) ? '\\&' : ''}${escaped(text)}`
}

function quoted(text: string): string {
  return `"${escaped(text).replaceAll('"', '\\(dq')}"`
}

const signs: Record<string, string> = {
  '\\': '\\e',
  '-': '\\-',
  '…': '\\&...',
  '’': '\\(cq',
  '–': '\\(en',
  '—': '\\(em',
  '·': '\\(pc',
  '→': '\\(->',
}

function escaped(text: string): string {
  return text.replace(/[\\\-…’–—·→]/g, (sign) => signs[sign]!)
}
