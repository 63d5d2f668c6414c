import { pureTasks } from '../../kernel'
import { addHtml, previewComment, toComments } from './long-text'
import { buildItemChange, findConflictingChanges, listFieldChanges } from './update-plan'

/** What converts long texts, which another thread can do. */
export const itemTasks = pureTasks('items', {
  addHtml,
  buildItemChange,
  findConflictingChanges,
  listFieldChanges,
  previewComment,
  toComments,
})
