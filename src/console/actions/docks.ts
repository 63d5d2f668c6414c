import type { OperationId } from '../../kernel'
import type { Fields } from '../forms/form'
import { listEntries, nestFields } from '../forms/form-fields'
import { facilityPath } from '../pages/docks/facility-path'
import { SECRET_USE, secret } from '../shown-secret'
import type { Action, Actions } from './action'
import { appointmentBasis, checkBasis, doorBasis, facilityBasis, placeBasis, trailerBasis } from './bases'

/** What forms do at the docks. */
export const dockActions: Actions = {
  'yard.arrive': { done: 'The arrival was recorded.' },
  'yard.move': { done: 'The trailer was moved.' },
  'yard.update': { done: 'The trailer was changed.', basis: trailerBasis },
  'yard.leave': { done: 'The departure was recorded.' },
  'yard.undo': { done: 'The step was undone.' },
  'yard.add-spots': { done: 'The spots were added.', toInput: nestFields },
  'yard.remove-spot': { done: 'The spot was removed.' },
  'appointments.book': { done: 'The appointment was booked.', toInput: nestFields },
  'appointments.reschedule': { done: 'The appointment was moved.', basis: placeBasis },
  'appointments.update': {
    done: 'The appointment was changed.',
    basis: appointmentBasis,
    toInput: nestFields,
  },
  'appointments.pin': { done: 'The appointment stays at its door.' },
  'appointments.unpin': { done: 'The appointment may move to another door.' },
  'appointments.cancel': { done: 'The appointment was cancelled.' },
  'appointments.check-in': { done: 'The truck was checked in.' },
  'appointments.step': { done: 'The step was recorded.' },
  'appointments.undo-step': { done: 'The step was undone.' },
  'appointments.reopen': { done: 'The appointment was reopened.' },
  'waitlist.add': { done: 'The load is on the waitlist.', toInput: nestFields },
  'attachments.add': { done: 'The file was attached.' },
  'attachments.remove': { done: 'The file was removed.' },
  'waitlist.accept': { done: 'The offered slot was booked.' },
  'waitlist.decline': { done: 'The offer was declined.' },
  'waitlist.remove': { done: 'The entry was removed from the waitlist.' },
  'appointments.import': {
    done: 'The rows were read.',
    show: async (report, fields) => (await import('../import-report')).renderImportReport(report, fields),
  },
  'facilities.create': {
    done: 'The facility was created.',
    toInput: toNewFacility,
    page: ({ code }) => facilityPath(code, '/settings'),
  },
  'facilities.update': {
    ...facilityChange('facilities.update', 'The facility was changed.'),
    basis: facilityBasis,
  },
  'facilities.close': facilityChange('facilities.close', 'The facility is closed on these dates.'),
  'facilities.reopen': facilityChange('facilities.reopen', 'The facility is open on these dates.'),
  'facilities.block': facilityChange('facilities.block', 'The hours are blocked.'),
  'facilities.unblock': facilityChange('facilities.unblock', 'The hours were unblocked.'),
  'facilities.delete': { done: 'The facility was deleted.' },
  'facilities.restore': { done: 'The facility was restored.' },
  'facilities.create-gate-link': {
    done: 'The link was created.',
    show: async (answer) => (await import('../pages/docks/gate-links')).renderNewGateLink(answer),
  },
  'facilities.revoke-gate-link': { done: 'The link was revoked.' },
  'doors.add': facilityChange('doors.add', 'The door was added.'),
  'doors.update': { ...facilityChange('doors.update', 'The door was changed.'), basis: doorBasis },
  'doors.remove': facilityChange('doors.remove', 'The door was removed.'),
  'facilities.set-check': {
    done: 'Bookings are checked.',
    basis: checkBasis,
    show: ({ secret: text }) => text && secret('secret', text, SECRET_USE),
  },
  'facilities.test-check': { done: 'The endpoint answered.' },
  'facilities.remove-check': { done: 'Bookings are no longer checked.' },
}

/** A change of a facility. A dry run shows what it would do, with the form that does it. */
function facilityChange(operation: OperationId, done: string): Action {
  return {
    done,
    toInput: toFacilityChange,
    show: async (answer, fields) =>
      answer.dryRun ? (await import('../consequences')).renderConsequences(operation, answer, fields) : null,
    page: ({ facility }) => facilityPath(facility.code, '/settings'),
  }
}

/** The field without which an entry of a list does not count. */
const needed = { queues: 'days', breaks: 'days', limits: 'max', customFields: 'name', reasons: 'choices' }

/** Lists that the form has are replaced as a whole. */
function toFacilityChange(fields: Fields): Fields {
  const input = nestFields(fields)
  if ('queues' in input) input['breaks'] ??= {}
  for (const [list, field] of Object.entries(needed)) if (list in input) input[list] = listEntries(input[list], field)
  return input
}

function toNewFacility(fields: Fields): Fields {
  const { doors, ...input } = toFacilityChange(fields)
  return { ...input, doors: Array.isArray(doors) ? doors.map((name) => ({ name })) : doors }
}
