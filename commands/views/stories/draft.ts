import type { ResultOf } from '../../../src/catalog'
import { formatDraftFile } from '../../../src/drafts/rules/draft-file'
import { formatByteSize } from '../../../src/kernel/files/byte-size'
import { pluralize } from '../../../src/kernel/text/text'
import { type Canvas, facts, printable, printableLine, table, wrapText } from '../../terminal/layout'

type Draft = ResultOf<'drafts.save'>
type Copied = ResultOf<'drafts.copy-sanitize'>

export function renderDraft(shown: ResultOf<'drafts.get'>, canvas: Canvas): string {
  return [
    `${canvas.colors.strong(printableLine(shown.title) || '(no title)')}\n`,
    facts(canvas, [
      ['Draft', `${shown.id} in folder ${shown.folderId}`],
      ['Copied from', shown.sourceReference && `${printableLine(shown.sourceReference)}, revision ${shown.sourceRev}`],
      ['Published', formatPublications(shown.publications)],
      ['Assigned to', shown.assignedTo && printableLine(shown.assignedTo)],
      ['Points', shown.storyPoints === null ? null : String(shown.storyPoints)],
      ['Area', shown.areaPath && printableLine(shown.areaPath)],
      ['Iteration', shown.iterationPath && printableLine(shown.iterationPath)],
      ['Tags', shown.tags && printableLine(shown.tags)],
      ...Object.entries(shown.fields).map(([name, value]): [string, string] => [
        printableLine(name),
        value === null ? '(cleared)' : printableLine(String(value)),
      ]),
      ['Images', formatFiles(shown.files)],
      ['Updated', shown.updatedAt],
    ]),
    section('Description', shown.description, canvas),
    section('Acceptance criteria', shown.acceptanceCriteria, canvas),
  ].join('')
}

function formatFiles(files: ResultOf<'drafts.get'>['files']): string | null {
  return files.map(({ name, bytes }) => `${printableLine(name)} (${formatByteSize(bytes)})`).join(', ') || null
}

function formatPublications(publications: ResultOf<'drafts.get'>['publications']): string | null {
  const places = publications.map(
    ({ reference, rev, publishedAt }) => `${printableLine(reference)}, revision ${rev}, at ${publishedAt}`,
  )
  return places.length === 0 ? null : places.join('; ')
}

function section(title: string, markdown: string | null, canvas: Canvas): string {
  return markdown
    ? `\n${canvas.colors.strong(title)}\n\n${wrapText(printable(markdown.trimEnd()), canvas.width)}\n`
    : ''
}

export function renderSavedDraft(saved: Draft, { colors }: Canvas): string {
  const title = colors.strong(printableLine(saved.title) || '(no title)')
  return `${colors.good('✓')} Draft ${saved.id} in folder ${saved.folderId}: ${title}\nRead it: studio draft get ${saved.id}\n`
}

export function renderSanitizedDraft(copied: Copied, canvas: Canvas): string {
  const { colors } = canvas
  const title = colors.strong(printableLine(copied.title))
  if (copied.id === null)
    return `Would create a draft: ${title}\n${removals(copied, canvas)}${filesLeft(copied)}Nothing was saved.\n`
  return [
    `${colors.good('✓')} Draft ${copied.id}: ${title}\n`,
    removals(copied, canvas),
    filesLeft(copied),
    `Read it: studio draft get ${copied.id}\n`,
  ].join('')
}

function filesLeft({ source: { attachments } }: Copied): string {
  if (attachments.length === 0) return ''
  return `Not copied: ${pluralize(attachments.length, 'attachment')}: ${printableLine(attachments.join(', '))}\n`
}

function removals({ sanitization: { removed, excerpts } }: Copied, canvas: Canvas): string {
  if (removed.length === 0) return 'Nothing was removed.\n'
  const whereOf = ({ kind, field }: { kind: string; field: string }) =>
    excerpts.find((excerpt) => excerpt.kind === kind && excerpt.field === field)
  const rows = table({ ...canvas, width: canvas.width === null ? null : canvas.width - 2 }, removed, [
    { title: 'REMOVED', text: (removal) => removal.kind },
    { title: 'FROM', text: (removal) => removal.field },
    { title: 'TIMES', text: (removal) => String(removal.count), align: 'right' },
    { title: 'WHERE', text: (removal) => whereOf(removal)?.text ?? '' },
  ])
  return rows.replace(/^(?=.)/gm, '  ')
}

/** As `draft save --file` reads it; on a terminal without its control characters. */
export function renderDraftFile(draft: ResultOf<'drafts.get'>, { width }: Canvas): string {
  return width === null ? formatDraftFile(draft) : printable(formatDraftFile(draft))
}

type History = ResultOf<'drafts.history'>

export function renderDraftHistory({ id, versions }: History, canvas: Canvas): string {
  const rows = table(canvas, versions, [
    { title: 'VERSION', text: ({ version }) => String(version), align: 'right' },
    { title: 'SAVED', text: ({ savedAt }) => savedAt },
    { title: 'CHANGED', text: changeOf },
    { title: 'TITLE', text: ({ content }) => content.title, shrink: 'cut' },
  ])
  const hint = versions.length > 1 ? `To restore one: studio draft undo ${id} --to <version>\n` : ''
  return `${rows}\n${pluralize(versions.length, 'version')}\n${hint}`
}

function changeOf({ version, restored, changed }: History['versions'][number]): string {
  if (restored !== null) return `restored version ${restored}`
  return version === 1 ? 'created' : changed.join(', ')
}

export function renderDeletedDraft(answer: ResultOf<'drafts.delete'>, { colors }: Canvas): string {
  const { id, title, versions, deleted } = answer
  const what = `draft ${id}, ${colors.strong(printableLine(title) || '(no title)')}, with ${pluralize(versions, 'version')}`
  return deleted ? `${colors.good('✓')} Deleted ${what}.\n` : `Would delete ${what} permanently.\n`
}
