import type { Kysely } from 'kysely'
import type { Engine } from '../storage'
import { createAttachmentTables } from './tables/attachment-tables'
import { createFilterTables } from './tables/filter-tables'
import { createFileImportTable, createUnfinishedImportTable } from './tables/import-tables'
import { createCreationTable, createItemUploadTable } from './tables/sending-tables'
import {
  createHookTables,
  createItemNumberTable,
  createMirrorTable,
  createTrackerFieldTable,
  createTrackerIterationTable,
} from './tables/tracker-tables'
import {
  createGoneItemTable,
  createSnapshotTable,
  createWorkItemTable,
  createWorkspaceVersionTable,
} from './tables/work-item-tables'

/** Creates the tables of work items and of their trackers. */
export async function createItemTables(db: Kysely<any>, engine: Engine): Promise<void> {
  await createWorkItemTable(db, engine)
  await createSnapshotTable(db)
  await createMirrorTable(db)
  await createItemNumberTable(db)
  await createGoneItemTable(db)
  await createUnfinishedImportTable(db)
  await createTrackerIterationTable(db)
  await createTrackerFieldTable(db)
  await createFileImportTable(db)
  await createFilterTables(db)
  await createWorkspaceVersionTable(db)
  await createCreationTable(db)
  await createItemUploadTable(db)
  await createHookTables(db)
  await createAttachmentTables(db, engine)
}
