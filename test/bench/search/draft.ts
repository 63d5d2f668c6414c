import type { insertDraft } from '../../../src/drafts/queries'

export function draft(title: string): Parameters<typeof insertDraft>[1] {
  const at = new Date().toISOString()
  return {
    title,
    description: 'A story of ordinary length, which tells what is wanted. '.repeat(18),
    acceptanceCriteria: null,
    storyPoints: 3,
    assignedTo: null,
    areaPath: null,
    iterationPath: null,
    tags: 'a; b',
    fields: {},
    folderId: 1,
    sourceItemId: null,
    sourceRev: null,
    createdAt: at,
    updatedAt: at,
  }
}
