import type { Migration } from '../storage'
import {
  createAttachmentTables,
  type ItemAttachmentPartTable,
  type ItemAttachmentTable,
} from './tables/attachment-tables'
import { createFilterTables, type SavedFilterTable, type WorkingFilterTable } from './tables/filter-tables'
import {
  createFileImportTable,
  createUnfinishedImportTable,
  type FileImportTable,
  type UnfinishedImportTable,
} from './tables/import-tables'
import {
  type CreationTable,
  createCreationTable,
  createItemUploadTable,
  type ItemUploadTable,
} from './tables/sending-tables'
import {
  createHookTables,
  createItemNumberTable,
  createMirrorTable,
  createTrackerFieldTable,
  createTrackerIterationTable,
  type ItemNumberTable,
  type IterationTable,
  type ReportedItemTable,
  type TrackerFieldTable,
  type TrackerHookTable,
  type TrackerLinkTable,
} from './tables/tracker-tables'
import {
  createGoneItemTable,
  createSnapshotTable,
  createWorkItemTable,
  createWorkspaceVersionTable,
  type GoneItemTable,
  type SnapshotTable,
  type WorkItemTable,
  type WorkspaceVersionTable,
} from './tables/work-item-tables'

export interface ItemTables {
  work_item: WorkItemTable
  snapshot: SnapshotTable
  mirror: TrackerLinkTable
  item_number: ItemNumberTable
  gone_item: GoneItemTable
  unfinished_import: UnfinishedImportTable
  tracker_iteration: IterationTable
  tracker_field: TrackerFieldTable
  file_import: FileImportTable
  saved_filter: SavedFilterTable
  working_filter: WorkingFilterTable
  workspace_version: WorkspaceVersionTable
  creation: CreationTable
  item_upload: ItemUploadTable
  tracker_hook: TrackerHookTable
  reported_item: ReportedItemTable
  item_attachment: ItemAttachmentTable
  item_attachment_part: ItemAttachmentPartTable
}

export const itemsMigration: Migration = {
  name: '0001-items',
  async up(db, engine) {
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
  },
}
