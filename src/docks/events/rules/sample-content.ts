import { presentLoad, toStoredLoad, toWaitingLoad } from '../../booking/rules/load'
import type { WaitlistEvent } from '../../waitlist/schemas'
import { type ChangedAppointment, describeChange, describeWaiting, type MailContent } from './mail-content'
import { isAboutWaiting, type MailKind } from './mail-templates'

/** What a template says of an appointment or an entry that does not exist. */
export function createSampleContent(kind: MailKind): MailContent {
  return isAboutWaiting(kind)
    ? describeWaiting({ data: createSampleWaiting(kind) }, SAMPLE_LINKS)
    : describeChange(createSampleChange(kind))
}

const SAMPLE_LINKS = { accept: 'https://studio.example.com/accept', decline: 'https://studio.example.com/decline' }

const facility = {
  facilityId: '00000000-0000-4000-8000-000000000001',
  facilityName: 'Sample Warehouse',
  facilityCode: 'SAMPLE',
  timeZone: 'America/Chicago',
}
const slot = { doorName: 'Door 1', startTime: '2027-03-02T12:00:00.000Z', endTime: '2027-03-02T13:00:00.000Z' }
const load = {
  type: 'delivery' as const,
  carrierName: 'Sample Freight',
  referenceNumber: 'PO-1001',
  references: [{ number: 'PO-1001', pallets: 20, pieces: null }],
}

function createSampleWaiting(kind: MailKind): WaitlistEvent['data'] {
  return {
    entry: {
      id: '00000000-0000-4000-8000-000000000000',
      ...facility,
      ...load,
      targetDate: '2027-03-02',
      lastDate: '2027-03-03',
      notBefore: null,
      notAfter: null,
      doorId: null,
      minutes: 60,
      offerMinutes: 60,
      ...toWaitingLoad({ palletCount: 20, equipmentId: 'TR-7' }),
      createdAt: '2027-03-01T12:00:00.000Z',
    },
    offer:
      kind === 'left_waitlist'
        ? null
        : { holdId: '00000000-0000-4000-8000-000000000003', ...slot, expiresAt: '2027-03-02T10:00:00.000Z' },
    cause: kind === 'offer' ? null : kind === 'offer_ended' ? 'expired' : 'over',
  }
}

const withReason: readonly MailKind[] = ['moved', 'cancelled', 'no_show', 'turned_away']

export function createSampleChange(kind: MailKind): ChangedAppointment {
  const isMoved = kind === 'moved'
  return {
    appointment: {
      id: '00000000-0000-4000-8000-000000000000',
      ...facility,
      doorId: '00000000-0000-4000-8000-000000000002',
      ...slot,
      ...load,
      durationMinutes: 60,
      status: kind === 'cancelled' ? 'cancelled' : 'scheduled',
      step: kind === 'no_show' || kind === 'turned_away' ? kind : null,
      ...presentLoad(toStoredLoad({ palletCount: 20, equipmentId: 'TR-7' })),
      trailerId: 'TR-7',
      pinned: false,
      sequence: 1,
      updatedAt: '2027-03-01T12:00:00.000Z',
    },
    changes: isMoved
      ? [{ field: 'startTime', before: '2027-03-01T15:00:00.000Z', after: '2027-03-02T12:00:00.000Z' }]
      : [],
    reason: withReason.includes(kind) ? 'Carrier delayed' : null,
    note: 'Call the gate on arrival',
  }
}
