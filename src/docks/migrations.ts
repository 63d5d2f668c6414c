import type { Migration } from '../storage'
import {
  type AppointmentChangeTable,
  type AppointmentReferenceTable,
  type AppointmentTable,
  createAppointmentChangeTable,
  createAppointmentReferenceTable,
  createAppointmentTable,
  createImportedRowTable,
  createSlotHoldTable,
  type ImportedRowTable,
  type SlotHoldTable,
} from './booking/migrations'
import {
  createMailTemplateTable,
  createWaitlistEventTable,
  createWebhookDeliveryTable,
  createWebhookTable,
  type MailTemplateTable,
  type WaitlistEventTable,
  type WebhookDeliveryTable,
  type WebhookTable,
} from './events/migrations'
import { createDoorTable, createFacilityTable, type DoorTable, type FacilityTable } from './facilities/migrations'
import { createRefusedRequestTable, type RefusedRequestTable } from './reports/migrations'
import {
  createSeriesOccurrenceTable,
  createSeriesTable,
  type SeriesOccurrenceTable,
  type SeriesTable,
} from './series/migrations'
import { createWaitlistEntryTable, type WaitlistEntryTable } from './waitlist/migrations'

/** Times are epoch milliseconds, booleans 0 and 1. */
export interface DocksTables {
  facility: FacilityTable
  door: DoorTable
  appointment: AppointmentTable
  appointment_reference: AppointmentReferenceTable
  appointment_change: AppointmentChangeTable
  slot_hold: SlotHoldTable
  imported_row: ImportedRowTable
  refused_request: RefusedRequestTable
  series: SeriesTable
  series_occurrence: SeriesOccurrenceTable
  waitlist_entry: WaitlistEntryTable
  webhook: WebhookTable
  webhook_delivery: WebhookDeliveryTable
  waitlist_event: WaitlistEventTable
  mail_template: MailTemplateTable
}

/** A webhook refers to a tenant, so the tables of `access` exist before. */
export const docksMigration: Migration = {
  name: '0006-docks',
  async up(db, engine) {
    await createFacilityTable(db)
    await createDoorTable(db)
    await createAppointmentTable(db, engine)
    await createAppointmentReferenceTable(db)
    await createAppointmentChangeTable(db)
    await createSlotHoldTable(db)
    await createImportedRowTable(db)
    await createRefusedRequestTable(db)
    await createSeriesTable(db)
    await createSeriesOccurrenceTable(db)
    await createWaitlistEntryTable(db)
    await createWebhookTable(db)
    await createWebhookDeliveryTable(db)
    await createWaitlistEventTable(db)
    await createMailTemplateTable(db)
  },
}
