import { paragraphsOf } from '../help'
import type { Reference, ReferenceEntry, Term } from './reference'

/** The reference as a page of Markdown. */
export function referenceMarkdown({ commands, globalFlags, topics }: Reference): string {
  return [
    '# The command line, command by command',
    '',
    'Made out of the program by `npm run reference`; a test fails where the two differ. The same is in `man studio`, and in `studio <command> --help`.',
    '',
    '## Commands',
    '',
    ...commands.map(
      ({ command, summary }) => `- [studio ${command}](#studio-${command.replaceAll(' ', '-')}): ${text(summary)}`,
    ),
    '',
    '## Flags of every command',
    '',
    ...terms(globalFlags),
    ...commands.flatMap(section),
    ...topics.flatMap((topic) => [
      `## studio help ${topic.name}`,
      '',
      text(`${topic.summary}.`),
      '',
      fenced(topic.text, 'text'),
      '',
    ]),
  ].join('\n')
}

function section({ command, usage, summary, about, args, flags, examples, related }: ReferenceEntry): string[] {
  return [
    `## studio ${command}`,
    '',
    `${text(summary)}.`,
    '',
    fenced(usage, 'text'),
    '',
    ...paragraphsOf(about).flatMap((part) => [part.keepsLines ? fenced(part.text, 'text') : text(part.text), '']),
    ...terms([...args, ...flags]),
    ...(examples.length > 0 ? [fenced(examples.join('\n'), 'sh'), ''] : []),
    ...(related.length > 0
      ? [`Related: ${related.map((name) => `[studio ${name}](#studio-${name.replaceAll(' ', '-')})`).join(', ')}`, '']
      : []),
  ]
}

function terms(list: readonly Term[]): string[] {
  if (list.length === 0) return []
  return [
    '| | |',
    '|---|---|',
    ...list.map(([name, about]) => `| ${code(name)} | ${text(about).replaceAll('|', '\\|')} |`),
    '',
  ]
}

function code(name: string): string {
  return `\`${name.replaceAll('|', '\\|')}\``
}

/** Prose outside of code: a placeholder must not be taken for a tag. */
function text(prose: string): string {
  return prose
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : part.replaceAll('<', '&lt;').replaceAll('*', '\\*')))
    .join('')
}

function fenced(content: string, language: string): string {
  return `\`\`\`${language}\n${content.trimEnd()}\n\`\`\``
}
