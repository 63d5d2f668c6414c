import type { Folder } from '../schemas'

type Placed = Pick<Folder, 'id' | 'parentId'>

/** Whether a folder is `ancestor` itself or lies somewhere below it. */
export function isInFolder(folders: readonly Placed[], id: number, ancestor: number): boolean {
  const parents = new Map(folders.map((folder) => [folder.id, folder.parentId]))
  const seen = new Set<number>()
  for (let at: number | null | undefined = id; at != null && !seen.has(at); at = parents.get(at)) {
    if (at === ancestor) return true
    seen.add(at)
  }
  return false
}
