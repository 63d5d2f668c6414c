import { type AnyOperation, StudioError } from './kernel'
import type { StudioContext } from './studio'

type Load = () => Promise<AnyOperation<StudioContext>>

/** Every operation of studio, by its id, in the order in which help and the API's description show them. Each is loaded when it is needed. */
export const catalog: Record<string, Load> = {
  'system.health': async () => (await import('./http/operations/report-health')).reportHealth,

  'features.import': async () => (await import('./workspace/operations/import-feature')).importFeature,
  'items.import-single': async () => (await import('./workspace/operations/import-single')).importSingle,
  'drafts.copy-sanitize': async () => (await import('./workspace/operations/copy-sanitize')).copySanitize,
  'search.fast': async () => (await import('./search/operations/search-workspace')).searchWorkspace,
  'items.batch-update': async () => (await import('./workspace/operations/batch-update')).batchUpdate,
  'reports.briefing': async () => (await import('./reports/operations/generate-briefing')).generateBriefing,
  'appointments.book': async () => (await import('./docks/operations/book-appointment')).bookAppointment,
  'appointments.reschedule': async () =>
    (await import('./docks/operations/reschedule-appointment')).rescheduleAppointment,

  'items.get': async () => (await import('./workspace/operations/get-item')).getItem,
  'items.list': async () => (await import('./workspace/operations/list-items')).listItems,
  'drafts.list': async () => (await import('./workspace/operations/list-drafts')).listDrafts,
  'drafts.get': async () => (await import('./workspace/operations/get-draft')).getDraft,
  'folders.list': async () => (await import('./workspace/operations/list-folders')).listFolders,
  'reports.hierarchy': async () => (await import('./reports/operations/report-hierarchy')).reportHierarchy,
  'reports.summary': async () => (await import('./reports/operations/report-summary')).reportSummary,

  'appointments.list': async () => (await import('./docks/operations/list-appointments')).listAppointments,
  'appointments.get': async () => (await import('./docks/operations/get-appointment')).getAppointment,
  'appointments.cancel': async () => (await import('./docks/operations/cancel-appointment')).cancelAppointment,
  'appointments.complete': async () => (await import('./docks/operations/complete-appointment')).completeAppointment,
  'facilities.list': async () => (await import('./docks/operations/list-facilities')).listFacilities,
  'facilities.get': async () => (await import('./docks/operations/get-facility')).getFacility,
  'facilities.create': async () => (await import('./docks/operations/create-facility')).createFacility,
  'tenants.list': async () => (await import('./access/operations/list-tenants')).listTenants,
  'tenants.create': async () => (await import('./access/operations/create-tenant')).createTenant,
  'tenants.create-key': async () => (await import('./access/operations/create-tenant-key')).createTenantKey,
  'tenants.list-keys': async () => (await import('./access/operations/list-tenant-keys')).listTenantKeys,
  'tenants.revoke-key': async () => (await import('./access/operations/revoke-tenant-key')).revokeTenantKey,
}

export async function loadOperation(id: string): Promise<AnyOperation<StudioContext>> {
  const load = catalog[id]
  if (!load) throw new StudioError('internal', `There is no operation ${id}.`)
  return load()
}

export function loadAllOperations(): Promise<AnyOperation<StudioContext>[]> {
  return Promise.all(Object.values(catalog).map((load) => load()))
}
