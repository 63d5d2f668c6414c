import type { Migration } from '../storage'
import type { AttachmentPartTable, AttachmentTable } from './attachments/migrations'
import type {
  AppointmentChangeTable,
  AppointmentReferenceTable,
  AppointmentTable,
  ImportedRowTable,
  SlotHoldTable,
} from './booking/migrations'
import type { MailTemplateTable, WaitlistEventTable, WebhookDeliveryTable, WebhookTable } from './events/migrations'
import type { DoorTable, FacilityTable } from './facilities/migrations'
import type { GateLinkTable, GateVisitTable } from './gate/migrations'
import type { RefusedRequestTable } from './reports/migrations'
import type { SeriesOccurrenceTable, SeriesTable } from './series/migrations'
import type { WaitlistEntryTable } from './waitlist/migrations'
import type { TrailerStepTable, TrailerTable, YardSpotTable } from './yard/migrations'

/** Times are epoch milliseconds, booleans 0 and 1. */
export interface DocksTables {
  facility: FacilityTable
  door: DoorTable
  appointment: AppointmentTable
  appointment_reference: AppointmentReferenceTable
  appointment_change: AppointmentChangeTable
  appointment_attachment: AttachmentTable
  attachment_part: AttachmentPartTable
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
  gate_link: GateLinkTable
  gate_visit: GateVisitTable
  yard_spot: YardSpotTable
  trailer: TrailerTable
  trailer_step: TrailerStepTable
}

/** A webhook refers to a tenant, so the tables of `access` exist before. What creates the tables is loaded for a new database only. */
export const docksMigration: Migration = {
  name: '0006-docks',
  async up(db, engine) {
    await (await import('./create-tables')).createDocksTables(db, engine)
  },
}
