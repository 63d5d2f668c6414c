import type { ResultOf } from '../../../src/catalog'
import { pluralize } from '../../../src/kernel/text/text'
import { type Canvas, printableLine, table } from '../../terminal/layout'

type Folder = ResultOf<'folders.list'>[number]

/** Each folder below its parent, indented. */
export function renderFolders(list: readonly Folder[], canvas: Canvas): string {
  return table(canvas, inTree(list), [
    { title: 'ID', text: ({ folder }) => String(folder.id), align: 'right' },
    { title: 'NAME', text: ({ folder, level }) => `${'· '.repeat(level)}${folder.name}`, shrink: 'cut' },
    { title: 'DRAFTS', text: ({ folder }) => String(folder.draftCount), align: 'right' },
    { title: 'PARENT', text: ({ folder }) => String(folder.parentId ?? ''), align: 'right' },
  ])
}

function inTree(
  list: readonly Folder[],
  parentId: number | null = null,
  level = 0,
): { folder: Folder; level: number }[] {
  return list
    .filter((folder) => folder.parentId === parentId)
    .flatMap((folder) => [{ folder, level }, ...inTree(list, folder.id, level + 1)])
}

export function renderSavedFolder({ id, name, parentId }: Folder, { colors }: Canvas): string {
  const place = parentId === null ? '' : ` in folder ${parentId}`
  return `${colors.good('✓')} Folder ${id}${place}: ${colors.strong(printableLine(name))}\n`
}

export function renderDeletedFolder(answer: ResultOf<'folders.delete'>, { colors }: Canvas): string {
  const { id, name, movedDrafts, movedFolders, deleted } = answer
  const moved = [
    movedDrafts.length > 0 ? `moves ${pluralize(movedDrafts.length, 'draft')}` : null,
    movedFolders.length > 0 ? `puts ${pluralize(movedFolders.length, 'subfolder')} one level up` : null,
  ].filter((part) => part !== null)
  const rest = moved.length > 0 ? `; that ${moved.join(' and ')}` : ''
  const what = `folder ${id}, ${colors.strong(printableLine(name))}`
  return deleted ? `${colors.good('✓')} Deleted ${what}${rest}.\n` : `Would delete ${what}${rest}.\n`
}
