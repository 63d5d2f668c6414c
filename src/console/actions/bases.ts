import type { ResultOf } from '../../catalog'
import { StudioError } from '../../kernel'
import type { Fields } from '../forms/form'
import { appointmentValues, placeValues } from '../pages/docks/appointment-values'
import { findCheck } from '../pages/docks/booking-check'
import { updatesOf } from '../pages/work/field-inputs'
import type { Action } from './action'

type FindBasis = NonNullable<Action['basis']>

export const appointmentBasis: FindBasis = async (run, { id }) => {
  const appointment = await run('appointments.get', { id: String(id) })
  return { now: appointmentValues(appointment), version: { ifSequence: appointment.sequence } }
}

/** The date, the start and the door are one place. */
export const placeBasis: FindBasis = async (run, { id }) => {
  const appointment = await run('appointments.get', { id: String(id) })
  const { doors } = await run('facilities.get', { id: appointment.facilityId })
  return {
    now: placeValues(appointment),
    version: { ifSequence: appointment.sequence },
    together: ['targetDate', 'startTime', 'doorId'],
    texts: { doorId: Object.fromEntries(doors.map(({ id: door, name }) => [door, name])) },
  }
}

export const facilityBasis: FindBasis = async (run, { id }) => {
  const facility = await run('facilities.get', { id: String(id) })
  return { now: facility, version: { ifRevision: facility.revision } }
}

export const doorBasis: FindBasis = async (run, { facilityId, name }) => {
  const { doors, revision } = await run('facilities.get', { id: String(facilityId) })
  const door = requirePresent(doors.find((each) => each.name === name))
  return { now: { ...door, newName: door.name }, version: { ifRevision: revision } }
}

export const trailerBasis: FindBasis = async (run, { id }) => {
  const trailer = await run('yard.get', { id: String(id) })
  return { now: { ...trailer, appointment: trailer.referenceNumber } }
}

/** A facility without a check gets one. */
export const checkBasis: FindBasis = async (run, { id }) => ({ now: (await findCheck(run, String(id))) ?? {} })

export const seriesBasis: FindBasis = async (run, { id }) => {
  const series = await run('series.get', { id: String(id) })
  const { doors } = await run('facilities.get', { id: series.facilityId })
  return { now: series, texts: { doorId: Object.fromEntries(doors.map(({ id: door, name }) => [door, name])) } }
}

export const memberBasis: FindBasis = async (run, { email, tenant }) => {
  const members = await run('staff.list', typeof tenant === 'string' ? { tenant } : {})
  return { now: requirePresent(members.find((member) => member.email === email)) }
}

export const personBasis: FindBasis = async (run, { email }) => {
  const person = requirePresent((await run('people.list', {})).find((each) => each.email === email))
  return { now: { ...person, name: person.name ?? '' } }
}

/** The value of a webhook's authorization is never shown, so that no form was drawn with one. */
export const webhookBasis: FindBasis = async (run, { id }) => {
  const webhook = requirePresent((await run('webhooks.list', {})).find((each) => each.id === id))
  const facilities = await run('facilities.list', {})
  return {
    now: webhookValues(webhook),
    texts: { facility: Object.fromEntries(facilities.map(({ id: facility, code }) => [facility, code])) },
  }
}

export function webhookValues({
  url,
  facilityId,
  carrierName,
  events,
  bodyTemplate,
}: ResultOf<'webhooks.list'>[number]) {
  return { url, facility: facilityId, carrierName, events, bodyTemplate }
}

export const mailBasis: FindBasis = async (run, { id }) => ({
  now: requirePresent((await run('mail-templates.list', {})).find((each) => each.id === id)),
})

/** The version that the editor was drawn with is in the history, so that it does not send the texts twice. */
export const draftBasis: FindBasis = async (run, { id, updatedAt }) => {
  const draftId = Number(id)
  const draft = await run('drafts.get', { id: draftId })
  const seenAt = Date.parse(String(updatedAt))
  const isNow = Date.parse(draft.updatedAt) === seenAt
  const { versions } = isNow ? { versions: [] } : await run('drafts.history', { id: draftId })
  const seen = versions.find(({ savedAt }) => Date.parse(savedAt) === seenAt)
  const now = draftContent(draft)
  const longTexts = ['description', 'acceptanceCriteria']
  return { now, was: isNow ? now : (seen?.content ?? null), version: { updatedAt: draft.updatedAt }, longTexts }
}

/** What the fields of the editor show. */
export function draftContent(draft: ResultOf<'drafts.save'> & { publications?: unknown; files?: unknown }): Fields {
  const { id, sourceItemId, sourceRev, sourceReference, createdAt, updatedAt, publications, files, ...content } = draft
  return content
}

export const folderBasis: FindBasis = async (run, { id }) => ({
  now: requirePresent((await run('folders.list', {})).find((each) => each.id === Number(id))),
})

/** Of the form of one item. The operation itself finds what others have changed in the tracker. */
export const itemBasis: FindBasis = async (run, { itemIds }) => ({
  now: { updates: updatesOf(await run('items.get', { id: Number(itemIds), cached: true })) },
})

function requirePresent<Thing>(thing: Thing | undefined): Thing {
  if (thing !== undefined) return thing
  throw new StudioError('not_found', 'It was removed meanwhile.')
}
