import { nestFields } from '../forms/form-fields'
import { seriesPath } from '../pages/docks/facility-path'
import type { Actions } from './action'
import { seriesBasis } from './bases'

/** What forms do with many appointments, and with slots that are not booked yet. */
export const planningActions: Actions = {
  'appointments.swap': { done: 'The two appointments were swapped.' },
  'appointments.clear': {
    done: 'The appointments were moved or cancelled.',
    show: async (answer, fields) => (await import('../pages/docks/planning/clear')).renderClearing(answer, fields),
  },
  'facilities.accept-plan': {
    done: 'The plan was accepted.',
    show: async (answer, fields) => (await import('../pages/docks/planning/plan')).renderPlan(answer, fields),
  },
  'appointments.remind': { done: 'The reminders that are due were sent.' },
  'holds.create': { done: 'The slot is held.', toInput: nestFields },
  'holds.confirm': { done: 'The held slot was booked.', toInput: nestFields },
  'holds.release': { done: 'The slot is free again.' },
  'series.create': { done: 'The series was created.', toInput: nestFields, page: ({ data }) => seriesPath(data.id) },
  'series.update': { done: 'The series was changed.', basis: seriesBasis, toInput: nestFields },
  'series.end': { done: 'The series ends.' },
  'series.skip': { done: 'The date is skipped.' },
  'series.move': { done: 'The date has a slot.' },
  'series.materialize': { done: 'The dates that are due were booked.' },
  'waitlist.offer': { done: 'The free slots were offered.' },
  'carriers.admit': { done: 'The carrier was admitted.' },
  'carriers.exclude': { done: 'The carrier was excluded.' },
  'yard.import': {
    done: 'The rows were read.',
    show: async (report, fields) => (await import('../import-report')).renderTrailerReport(report, fields),
  },
}
