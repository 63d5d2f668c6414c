import type { OperationId, SuggestedCall } from '../../kernel'
import { appointmentPath, facilityPath } from '../pages/docks/facility-path'
import { itemPath } from '../pages/item-path'

type Input = Record<string, string>

/** The pages where a person does what a hint suggests, by the operation. */
const pages: { [Id in OperationId]?: (input: Input) => string } = {
  'facilities.list': () => '/console/docks',
  'facilities.get': ({ id = '' }) => facilityPath(id),
  'facilities.availability': ({ id = '', date }) =>
    facilityPath(id, `/availability${date === undefined ? '' : `?${new URLSearchParams({ date })}`}`),
  'facilities.list-gate-links': ({ facilityCode = '' }) => facilityPath(facilityCode, '/gate-links'),
  'waitlist.list': ({ facilityCode = '' }) => facilityPath(facilityCode, '/waitlist'),
  'yard.board': ({ id = '' }) => facilityPath(id, '/yard'),
  'appointments.get': ({ id = '' }) => appointmentPath(id),
  'appointments.history': ({ id = '' }) => appointmentPath(id),
  'appointments.reschedule': ({ id = '' }) => appointmentPath(id),
  'appointments.cancel': ({ id = '' }) => appointmentPath(id),
  'appointments.undo-step': ({ id = '' }) => appointmentPath(id),
  'items.get': ({ id = '' }) => itemPath(Number(id)),
  'search.fast': ({ q = '' }) => `/console/work?${new URLSearchParams({ search: q })}`,
  'drafts.list': () => '/console/drafts',
  'drafts.get': ({ id = '' }) => `/console/drafts/${encodeURIComponent(id)}`,
  'folders.list': () => '/console/drafts',
  'webhooks.list': () => '/console/settings/messages',
  'staff.list': () => '/console/settings/staff',
  'tokens.list': () => '/console/settings',
  'tenants.list': () => '/console/settings',
  'sessions.list': () => '/console/settings',
  'system.doctor': () => '/console/settings/system',
  'storage.backup': () => '/console/settings/system',
}

/** The page for a suggested call; null if there is none, or if a person has to choose a value first. */
export function pageOfCall({ operation, input, isCommand }: SuggestedCall): string | null {
  const values = Object.values(input).map(String)
  if (isCommand || values.some((value) => /^<.*>$/.test(value))) return null
  return (
    pages[operation]?.(Object.fromEntries(Object.entries(input).map(([name, value]) => [name, String(value)]))) ?? null
  )
}
