import type { Kysely } from 'kysely'
import type { Engine } from '../storage'
import { createAttachmentTables } from './attachments/migrations'
import {
  createAppointmentChangeTable,
  createAppointmentReferenceTable,
  createAppointmentTable,
  createImportedRowTable,
  createSlotHoldTable,
} from './booking/migrations'
import {
  createMailTemplateTable,
  createWaitlistEventTable,
  createWebhookDeliveryTable,
  createWebhookTable,
} from './events/migrations'
import { createDoorTable, createFacilityTable } from './facilities/migrations'
import { createGateTables } from './gate/migrations'
import { createRefusedRequestTable } from './reports/migrations'
import { createSeriesOccurrenceTable, createSeriesTable } from './series/migrations'
import { createWaitlistEntryTable } from './waitlist/migrations'
import { createYardTables } from './yard/migrations'

/** Creates the tables of the docks. Each refers to those before it. */
export async function createDocksTables(db: Kysely<any>, engine: Engine): Promise<void> {
  await createFacilityTable(db)
  await createDoorTable(db)
  await createAppointmentTable(db, engine)
  await createAppointmentReferenceTable(db)
  await createAppointmentChangeTable(db)
  await createAttachmentTables(db, engine)
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
  await createGateTables(db)
  await createYardTables(db)
}
