import type { z } from 'zod'
import type { deleteDraft } from '../../src/drafts/operations/delete-draft'
import type { listDraftHistory } from '../../src/drafts/operations/list-draft-history'
import { pluralize } from '../../src/kernel/text'
import { type Canvas, printableLine, table } from '../layout'

type History = z.infer<typeof listDraftHistory.output>

export function renderDraftHistory({ id, versions }: History, canvas: Canvas): string {
  const rows = table(
    versions,
    [
      { title: 'VERSION', text: ({ version }) => String(version), align: 'right' },
      { title: 'SAVED', text: ({ savedAt }) => savedAt },
      { title: 'CHANGED', text: changeOf },
      { title: 'TITLE', text: ({ content }) => content.title, shrink: 'cut' },
    ],
    canvas,
  )
  const hint = versions.length > 1 ? `Put one back: studio draft undo ${id} --to <version>\n` : ''
  return `${rows}\n${pluralize(versions.length, 'version')}\n${hint}`
}

function changeOf({ version, restored, changed }: History['versions'][number]): string {
  if (restored !== null) return `put version ${restored} back`
  return version === 1 ? 'made' : changed.join(', ')
}

export function renderDeletedDraft(answer: z.infer<typeof deleteDraft.output>, { colors }: Canvas): string {
  const { id, title, versions, deleted } = answer
  const what = `draft ${id}, ${colors.strong(printableLine(title) || '(no title)')}, with ${pluralize(versions, 'version')}`
  return deleted ? `${colors.good('✓')} Deleted ${what}.\n` : `Would delete ${what}, for good.\n`
}
