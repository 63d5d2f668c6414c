import type { Draft } from '../../../src/drafts/schemas'
import { pluralize } from '../../../src/kernel/text/text'
import { type Canvas, table } from '../../terminal/layout'

/** What the table shows of a draft. */
export type ListedDraft = Pick<Draft, 'id' | 'title' | 'storyPoints' | 'sourceReference' | 'folderId' | 'updatedAt'>

export function renderDrafts(list: readonly ListedDraft[], canvas: Canvas): string {
  if (list.length === 0)
    return 'No drafts. Create one: studio draft save --title <text>, or: studio copy-sanitize <itemId>\n'
  const rows = table(canvas, list, [
    { title: 'ID', text: (entry) => String(entry.id), align: 'right' },
    { title: 'TITLE', text: (entry) => entry.title, shrink: 'cut' },
    { title: 'PTS', text: (entry) => (entry.storyPoints === null ? '' : String(entry.storyPoints)), align: 'right' },
    { title: 'FROM', text: (entry) => entry.sourceReference ?? '' },
    { title: 'FOLDER', text: (entry) => String(entry.folderId), align: 'right' },
    { title: 'UPDATED', text: (entry) => entry.updatedAt },
  ])
  return `${rows}\n${pluralize(list.length, 'draft')}\n`
}
