import * as queries from '../../../src/docks/queries'
import { DAY_MS, HOUR_MS } from '../../../src/kernel/time'
import { type Database, tables, type WriteTx } from '../../../src/storage'
import { NOW } from '../archive/queries/past-appointments'
import { newWebhook } from '../events/webhook-fixtures'

type Call = (tx: WriteTx) => Promise<unknown>

/** A call of every query of the docks, by its name, as the operations make it: for one facility, one day or one appointment. */
export async function listQueryCalls(db: Database): Promise<Record<string, Call>> {
  const row = await db.read((tx) =>
    tables<any>(tx).selectFrom('facility').selectAll().where('code', '=', 'F3').executeTakeFirstOrThrow(),
  )
  const { id: facilityId, tenant_id: tenantId } = row as { id: string; tenant_id: string }
  const id = `${facilityId}-7`
  const facility = (await db.read((tx) => queries.findFacility(tx, tenantId, { id: facilityId })))!
  const [door] = await db.read((tx) => queries.findDoors(tx, facilityId))
  const [one, other] = (await db.read((tx) => queries.findAppointmentsById(tx, [id, `${facilityId}-8`]))) as [any, any]
  const span = { from: NOW - DAY_MS, to: NOW }
  const change = { kind: 'updated', at: NOW, caller: { id: 'terminal', name: null } } as const
  const archived = await db.read((tx) =>
    queries.listEndedAppointments(tx, { facilityId, before: NOW, after: null, limit: 10 }),
  )
  const hold = { ...one, id: 'hold', expiresAt: NOW + HOUR_MS, startAt: NOW + DAY_MS, endAt: NOW + DAY_MS + HOUR_MS }
  const origin = { tenantId, createdAt: NOW, caller: { id: 'key', name: 'Gate tablet' } }
  const series = { id: 'new', facilityId, terms: {} as never }
  const occurrence = {
    seriesId: facilityId,
    date: 'OLD-7',
    outcome: 'booked' as const,
    reason: null,
    appointmentId: id,
  }
  const entry = {
    id: 'wait',
    facilityId,
    request: {} as never,
    createdAt: NOW,
    holdId: null,
    offer: null,
    declined: [],
    carrier: null,
  }
  const delivery = { source: 'appointment' as const, eventId: 10, subjectId: id, attempts: 0 }
  const filter = { facilityId, starting: span, referenceNumber: null, status: null }
  const several = {
    ...one,
    references: JSON.stringify(['OLD-7', 'X-1', 'X-2'].map((number) => ({ number, pallets: 1, pieces: null }))),
  }
  const gateLink = {
    id: 'gate',
    tenant_id: tenantId,
    facility_id: facilityId,
    name: 'North gate',
    is_kiosk: 0,
    prefix: 'studio_gat_aaaaaaaa',
    hash: 'h',
    created_at: NOW,
    expires_at: null,
    last_used_at: null,
    revoked_at: null,
  }
  const arrival = {
    kind: 'arrived' as const,
    at: NOW,
    occurredAt: NOW,
    caller: { id: 'terminal', name: null },
    state: {
      number: 'TR-1',
      carrierName: 'Blue Freight',
      loaded: true,
      appointmentId: id,
      spotId: null,
      doorId: door!.id,
      note: null,
    },
  }
  /** The call, after a trailer has arrived. */
  const withTrailer = (call: Call) => async (tx: WriteTx) => {
    await queries.insertTrailer(tx, { id: 'trailer', tenantId, facilityId }, arrival)
    return call(tx)
  }
  const fresh = { ...one, id: 'fresh', referenceNumber: 'NEW-1', startAt: hold.startAt, endAt: hold.endAt }
  return {
    insertChange: (tx) => queries.insertChange(tx, id, change),
    listChanges: (tx) => queries.listChanges(tx, id),
    listChangesSince: (tx) => queries.listChangesSince(tx, { appointmentIds: [id], since: 0 }),
    findLastChange: (tx) => queries.findLastChange(tx),
    listChangedBetween: (tx) =>
      queries.listChangedBetween(tx, { tenantId, facilityId: null, after: 100, until: 200, limit: 50 }),
    listChangedPlaces: (tx) => queries.listChangedPlaces(tx, { after: 100, until: 200 }),
    listBusySpans: (tx) => queries.listBusySpans(tx, facility, span, { now: NOW, except: [id] }),
    busySpansQuery: (tx) => queries.busySpansQuery(tx, { facilityId, after: span.from - DAY_MS, ...span }).execute(),
    listBusySpansStarting: (tx) => queries.listBusySpansStarting(tx, facility, span, NOW),
    findAppointment: (tx) => queries.findAppointment(tx, tenantId, id),
    findAppointmentsById: (tx) => queries.findAppointmentsById(tx, [id, other.id]),
    findScheduledReference: (tx) => queries.findScheduledReference(tx, facilityId, 'OLD-7'),
    hasScheduledReference: (tx) => queries.hasScheduledReference(tx, facilityId, ['OLD-7']),
    findBookingCheck: (tx) => queries.findBookingCheck(tx, facilityId),
    saveBookingCheck: (tx) => queries.saveBookingCheck(tx, facilityId, null),
    listGateLinks: (tx) => queries.listGateLinks(tx, facilityId),
    findGateLink: (tx) => queries.findGateLink(tx, tenantId, gateLink.id),
    findLiveGateLinks: (tx) => queries.findLiveGateLinks(tx, { prefix: gateLink.prefix, now: NOW }),
    findLiveGateLink: (tx) => queries.findLiveGateLink(tx, { id: gateLink.id, now: NOW }),
    insertGateLink: (tx) => queries.insertGateLink(tx, gateLink),
    updateGateLink: (tx) => queries.updateGateLink(tx, gateLink.id, { revoked_at: NOW }),
    revokeGateLinks: (tx) => queries.revokeGateLinks(tx, facilityId, NOW),
    insertGateVisit: async (tx) => {
      await queries.insertGateLink(tx, gateLink)
      await queries.insertGateVisit(tx, { hash: 'h', link_id: gateLink.id, appointment_id: id, expires_at: NOW }, NOW)
    },
    findGateVisit: (tx) => queries.findGateVisit(tx, 'h', NOW),
    listWaitingTrucks: (tx) => queries.listWaitingTrucks(tx, facilityId, span),
    insertReferences: (tx) => queries.insertReferences(tx, several),
    replaceReferences: (tx) => queries.replaceReferences(tx, several),
    removeReferences: (tx) => queries.removeReferences(tx, [id, other.id]),
    listReferencing: (tx) => queries.listReferencing(tx, facilityId, 'OLD-7'),
    listScheduledWith: (tx) => queries.listScheduledWith(tx, facilityId, ['OLD-7', 'OLD-8']),
    scheduledFirstQuery: (tx) => queries.scheduledFirstQuery(tx, facilityId, ['OLD-7']).execute(),
    scheduledOthersQuery: (tx) => queries.scheduledOthersQuery(tx, facilityId, ['OLD-7']).execute(),
    listAppointments: (tx) => queries.listAppointments(tx, filter),
    listAppointmentStarts: (tx) => queries.listAppointmentStarts(tx, filter),
    appointmentsQuery: (tx) =>
      queries.appointmentsQuery(tx, { ...filter, starting: null, referenceNumber: 'OLD-7' }).execute(),
    listUnfinishedAppointments: (tx) => queries.listUnfinishedAppointments(tx, facilityId, NOW),
    listAppointmentsWithin: (tx) => queries.listAppointmentsWithin(tx, facilityId, span),
    sumUpChanges: (tx) => queries.sumUpChanges(tx, facilityId, span),
    insertAppointment: (tx) =>
      queries.insertAppointment(tx, fresh, { ...origin, caller: { id: 'terminal', name: null } }),
    announceDoor: (tx) =>
      queries.announceDoor(tx, { id, contactEmails: 'a@example.com', contactPhone: null }, { kind: 'booked', at: 0 }),
    hasWebhooks: (tx) => queries.hasWebhooks(tx),
    saveMoves: (tx) =>
      queries.saveMoves(
        tx,
        [
          { before: one, after: { ...one, startAt: other.startAt, endAt: other.endAt } },
          { before: other, after: { ...other, startAt: one.startAt, endAt: one.endAt } },
        ],
        change,
      ),
    saveAppointment: (tx) =>
      queries.saveAppointment(tx, { before: one, after: { ...one, carrierName: 'Other' } }, change),
    listArchiveFacilities: (tx) => queries.listArchiveFacilities(tx, tenantId),
    listEndedAppointments: (tx) =>
      queries.listEndedAppointments(tx, { facilityId, before: span.to, after: null, limit: 10 }),
    countEndedAppointments: (tx) => queries.countEndedAppointments(tx, facilityId, span.from),
    deleteUnchangedAppointments: (tx) => queries.deleteUnchangedAppointments(tx, tenantId, archived),
    lockArchiveFacilities: (tx) => queries.lockArchiveFacilities(tx, archived),
    findArchiveConflicts: (tx) => queries.findArchiveConflicts(tx, tenantId, archived),
    insertArchivedAppointments: async (tx) => {
      await queries.deleteUnchangedAppointments(tx, tenantId, archived)
      await queries.insertArchivedAppointments(tx, tenantId, archived.slice(0, 3))
    },
    listAttachments: (tx) => queries.listAttachments(tx, [id]),
    findAttachment: (tx) => queries.findAttachment(tx, `file-${id}`),
    readAttachmentContent: (tx) => queries.readAttachmentContent(tx, `file-${id}`),
    insertAttachment: async (tx) => {
      const [attachment] = await queries.listAttachments(tx, [id])
      await queries.insertAttachment(tx, { ...attachment!, id: 'new' }, Buffer.from('PDF'))
    },
    removeAttachments: (tx) => queries.removeAttachments(tx, [`file-${id}`]),
    addContents: (tx) => queries.addContents(tx, archived[0]!),
    loadSiteRecord: (tx) => queries.loadSiteRecord(tx, { facilityId, numbers: ['NEW'], span, now: NOW }),
    listStartingAppointments: (tx) => queries.listStartingAppointments(tx, facilityId, span),
    listVisitChanges: (tx) => queries.listVisitChanges(tx, facilityId, span),
    countRefusedRequest: (tx) =>
      queries.countRefusedRequest(tx, facilityId, { day: 1, type: 'pickup', reason: 'fully_booked' }),
    listRefusedRequests: (tx) => queries.listRefusedRequests(tx, facilityId, { first: 1, last: 2 }),
    findFacility: (tx) => queries.findFacility(tx, tenantId, { code: 'F3' }),
    findFacilityForUpdate: (tx) => queries.findFacilityForUpdate(tx, tenantId, { code: 'F3' }),
    lockFacilityOf: (tx) => queries.lockFacilityOf(tx, tenantId, { table: 'appointment', id }),
    listFacilities: (tx) => queries.listFacilities(tx, tenantId, { archived: false }),
    findDoors: (tx) => queries.findDoors(tx, facilityId),
    findDoorsByFacility: (tx) => queries.findDoorsByFacility(tx, tenantId),
    insertFacility: (tx) =>
      queries.insertFacility(tx, { ...facility, id: 'new', code: 'NEW', doors: [] }, { tenantId, createdAt: NOW }),
    updateFacility: (tx) => queries.updateFacility(tx, facility),
    setArchivedAt: (tx) => queries.setArchivedAt(tx, facilityId, NOW),
    upsertDoor: (tx) => queries.upsertDoor(tx, facilityId, door!),
    removeDoor: (tx) => queries.removeDoor(tx, door!, NOW),
    findRemovedDoor: (tx) => queries.findRemovedDoor(tx, facilityId, 'C'),
    listTimeZones: (tx) => queries.listTimeZones(tx),
    findTimeZones: (tx) => queries.findTimeZones(tx, [facilityId]),
    findImportedAppointments: (tx) => queries.findImportedAppointments(tx, { facilityId, importId: 'new' }, [id]),
    saveImportedRows: (tx) =>
      queries.saveImportedRows(tx, [{ facilityId, rowHash: 'new', importId: 'new', appointmentId: id }], NOW),
    findSeries: (tx) => queries.findSeries(tx, tenantId, facilityId),
    listSeries: (tx) => queries.listSeries(tx, facilityId),
    listSeriesKeys: (tx) => queries.listSeriesKeys(tx, { facilityId }),
    insertSeries: (tx) => queries.insertSeries(tx, series, origin),
    updateSeriesTerms: (tx) => queries.updateSeriesTerms(tx, { ...series, id: facilityId }),
    listOccurrences: (tx) => queries.listOccurrences(tx, facilityId, 'OLD-98'),
    listUnplacedOccurrences: (tx) => queries.listUnplacedOccurrences(tx, facilityId, 'OLD-98'),
    saveOccurrence: (tx) => queries.saveOccurrence(tx, { ...occurrence, date: '2026-11-20' }),
    removeOccurrence: (tx) => queries.removeOccurrence(tx, occurrence),
    listHeldSpans: (tx) =>
      queries.listHeldSpans(tx, { facilityId, after: 0, ...span, now: NOW, except: [], isCounted: true }),
    findHold: (tx) => queries.findHold(tx, tenantId, 'hold'),
    listHolds: (tx) => queries.listHolds(tx, facilityId, NOW),
    listHolders: (tx) => queries.listHolders(tx, facilityId),
    removeExpiredHolds: (tx) => queries.removeExpiredHolds(tx, facilityId, NOW),
    insertHold: (tx) => queries.insertHold(tx, hold, { ...origin, caller: 'key' }),
    removeHold: (tx) => queries.removeHold(tx, 'hold'),
    findWaitlistEntry: (tx) => queries.findWaitlistEntry(tx, tenantId, 'wait'),
    findWaitlistEntryOfHold: (tx) => queries.findWaitlistEntryOfHold(tx, 'hold'),
    listWaitlist: (tx) => queries.listWaitlist(tx, facilityId),
    listBookedReferences: (tx) => queries.listBookedReferences(tx, facilityId, ['OLD-7', 'OLD-8']),
    listWaitlistFacilities: (tx) => queries.listWaitlistFacilities(tx, { facilityId }),
    listRemindingFacilities: (tx) => queries.listRemindingFacilities(tx, {}),
    listReminderDue: (tx) => queries.listReminderDue(tx, { facilityId, hours: 24, now: 0, limit: 1 }),
    insertWaitlistEntry: (tx) => queries.insertWaitlistEntry(tx, entry, { ...origin, caller: 'key' }),
    countWaitlistOf: (tx) => queries.countWaitlistOf(tx, facilityId, { caller: 'key', carrier: null }),
    saveOffer: (tx) => queries.saveOffer(tx, entry),
    removeWaitlistEntry: (tx) => queries.removeWaitlistEntry(tx, 'wait'),
    insertWaitlistEvent: (tx) =>
      queries.insertWaitlistEvent(tx, {
        tenantId,
        facilityId,
        carrierName: 'Blue Freight',
        entryId: 'wait',
        type: 'waitlist.offered',
        at: NOW,
        event: '{}',
      }),
    findWaitlistEvents: (tx) => queries.findWaitlistEvents(tx, [1, 2]),
    insertDeliveries: async (tx) => {
      await tables<any>(tx).deleteFrom('webhook_delivery').where('subject_id', '=', id).execute()
      await queries.insertDeliveries(tx, { appointmentId: id, kind: 'updated', dueAt: NOW, carriers: null })
    },
    listTrailers: (tx) => queries.listTrailers(tx, { facilityId, isPresent: true, number: 'TR 1' }),
    findTrailer: (tx) => queries.findTrailer(tx, tenantId, 'trailer'),
    hasTrailer: (tx) => queries.hasTrailer(tx, id),
    listTrailersWithNumber: (tx) => queries.listTrailersWithNumber(tx, tenantId, 'TR 1'),
    findTrailerAt: (tx) => queries.findTrailerAt(tx, { doorId: door!.id }),
    listTrailerSteps: (tx) => queries.listTrailerSteps(tx, 'trailer'),
    insertTrailer: withTrailer(async () => {}),
    saveTrailerStep: withTrailer((tx) => queries.saveTrailerStep(tx, 'trailer', { ...arrival, kind: 'changed' })),
    undoTrailerStep: withTrailer(async (tx) => {
      const [step] = await queries.listTrailerSteps(tx, 'trailer')
      await queries.saveTrailerStep(tx, 'trailer', { ...arrival, kind: 'moved' })
      const [, moved] = await queries.listTrailerSteps(tx, 'trailer')
      await queries.undoTrailerStep(tx, 'trailer', { stepId: (moved ?? step)!.id, at: NOW, by: 'terminal' })
    }),
    deleteTrailer: withTrailer((tx) => queries.deleteTrailer(tx, 'trailer')),
    listYardSpots: (tx) => queries.listYardSpots(tx, facilityId),
    findYardSpot: (tx) => queries.findYardSpot(tx, facilityId, 'Y1'),
    addYardSpot: (tx) => queries.addYardSpot(tx, { id: 'spot', facilityId, name: 'Y1' }),
    removeYardSpot: (tx) => queries.removeYardSpot(tx, 'spot', NOW),
    findSpotNames: (tx) => queries.findSpotNames(tx, facilityId),
    findDoorNames: (tx) => queries.findDoorNames(tx, facilityId),
    listWebhooks: (tx) => queries.listWebhooks(tx, tenantId),
    findWebhook: (tx) => queries.findWebhook(tx, tenantId, 'hook'),
    insertWebhook: (tx) => queries.insertWebhook(tx, newWebhook({ id: 'new', tenant_id: tenantId })),
    findActiveWebhook: (tx) => queries.findActiveWebhook(tx, 'hook'),
    findAnyWebhook: (tx) => queries.findAnyWebhook(tx, 'hook'),
    stopWebhook: (tx) => queries.stopWebhook(tx, 'none', { at: NOW, reason: 'none' }),
    resumeWebhook: (tx) => queries.resumeWebhook(tx, 'hook'),
    updateWebhook: (tx) => queries.updateWebhook(tx, 'hook', { carrier: null }),
    replaceWebhookSecret: (tx) =>
      queries.replaceWebhookSecret(tx, 'hook', { secret: '', previous_secret: null, previous_secret_until: null }),
    deleteWebhook: (tx) => queries.deleteWebhook(tx, 'none'),
    findMailTemplates: (tx) => queries.findMailTemplates(tx, tenantId),
    saveMailTemplate: (tx) =>
      queries.saveMailTemplate(
        tx,
        { tenant_id: tenantId, kind: 'booked' },
        { subject: 'New', text: undefined, at: NOW },
      ),
    deleteMailTemplate: (tx) => queries.deleteMailTemplate(tx, { tenant_id: tenantId, kind: 'booked' }),
    listWebhooksDue: (tx) => queries.listWebhooksDue(tx, NOW),
    listDueDeliveries: (tx) => queries.listDueDeliveries(tx, 'hook', { now: NOW, limit: 50 }),
    deleteDeliveries: (tx) => queries.deleteDeliveries(tx, 'hook', [delivery, { source: 'waitlist', eventId: 10 }]),
    saveFailedDelivery: (tx) =>
      queries.saveFailedDelivery(
        tx,
        'hook',
        { ...delivery, accepted: null, error: 'none', retryAt: NOW + HOUR_MS },
        NOW,
      ),
    reviveDeliveries: (tx) => queries.reviveDeliveries(tx, 'hook', { event: delivery, now: NOW }),
    listDeadDeliveries: (tx) => queries.listDeadDeliveries(tx, 'hook'),
  }
}

/** The functions that send no statement: one builds it for others, one reads what was read before. */
export const WITHOUT_STATEMENT = ['wants', 'recallFacility', 'siteRecordQuery']
