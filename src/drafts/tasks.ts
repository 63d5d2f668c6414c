import { pureTasks } from '../kernel'
import { createSanitizedCopy } from './rules/create-sanitized-copy'
import { planPublication } from './services/plan-publication'

/** What converts long texts, which another thread can do. */
export const draftTasks = pureTasks('drafts', { createSanitizedCopy, planPublication })
