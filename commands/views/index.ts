import type { Canvas } from '../layout'
import { anyResult } from './any-result'

/** A result as a person reads it, with its last line ended. */
export type View<Result = any> = (result: Result, canvas: Canvas) => string

/** The operations whose result deserves more than a table or a list of facts. */
const views: Record<string, () => Promise<View>> = {
  'features.import': async () => (await import('./import-summary')).featureSummary,
  'items.import-single': async () => (await import('./import-summary')).singlesSummary,
  'items.get': async () => (await import('./work-item')).workItem,
  'items.list': async () => (await import('./work-item')).workItems,
  'items.batch-update': async () => (await import('./batch-outcome')).batchOutcome,
  'drafts.copy-sanitize': async () => (await import('./draft')).sanitizedDraft,
  'drafts.get': async () => (await import('./draft')).draft,
  'drafts.list': async () => (await import('./draft')).drafts,
  'folders.list': async () => (await import('./draft')).folders,
  'search.fast': async () => (await import('./search-results')).searchResults,
  'reports.briefing': async () => (await import('./reports')).briefing,
  'reports.hierarchy': async () => (await import('./reports')).hierarchy,
  'reports.summary': async () => (await import('./reports')).summary,
  'appointments.book': async () => (await import('./appointment')).appointmentAnswer,
  'appointments.reschedule': async () => (await import('./appointment')).appointmentAnswer,
  'appointments.cancel': async () => (await import('./appointment')).appointmentAnswer,
  'appointments.complete': async () => (await import('./appointment')).appointmentAnswer,
  'appointments.list': async () => (await import('./appointment')).appointments,
  'facilities.create': async () => (await import('./facility')).facility,
  'facilities.get': async () => (await import('./facility')).facility,
  'facilities.list': async () => (await import('./facility')).facilities,
  'tenants.create-key': async () => (await import('./tenant-key')).newKey,
}

export async function viewOf(operationId: string): Promise<View> {
  return (await views[operationId]?.()) ?? anyResult
}
