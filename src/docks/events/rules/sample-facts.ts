import { presentLoad, toStoredLoad } from '../../booking/rules/load'
import type { MailFacts } from './fill-mail'
import type { MailKind } from './mail-templates'

const withReason: readonly MailKind[] = ['moved', 'cancelled', 'no_show', 'turned_away']

/** A change of an appointment that does not exist, to show what a template says. */
export function createSampleFacts(kind: MailKind): MailFacts {
  const isMoved = kind === 'moved'
  return {
    appointment: {
      id: '00000000-0000-4000-8000-000000000000',
      facilityId: '00000000-0000-4000-8000-000000000001',
      facilityName: 'Sample Warehouse',
      facilityCode: 'SAMPLE',
      timeZone: 'America/Chicago',
      doorId: '00000000-0000-4000-8000-000000000002',
      doorName: 'Door 1',
      type: 'delivery',
      startTime: '2027-03-02T12:00:00.000Z',
      endTime: '2027-03-02T13:00:00.000Z',
      durationMinutes: 60,
      carrierName: 'Sample Freight',
      referenceNumber: 'PO-1001',
      references: [{ number: 'PO-1001', pallets: 20, pieces: null }],
      status: kind === 'cancelled' ? 'cancelled' : 'scheduled',
      step: kind === 'no_show' || kind === 'turned_away' ? kind : null,
      ...presentLoad(toStoredLoad({ palletCount: 20, equipmentId: 'TR-7' })),
      trailerId: 'TR-7',
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
