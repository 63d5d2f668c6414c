import type { Migration } from '../storage'
import type { ItemAttachmentPartTable, ItemAttachmentTable } from './tables/attachment-tables'
import type { SavedFilterTable, WorkingFilterTable } from './tables/filter-tables'
import type { FileImportTable, UnfinishedImportTable } from './tables/import-tables'
import type { CreationTable, ItemUploadTable } from './tables/sending-tables'
import type {
  ItemNumberTable,
  IterationTable,
  ReportedItemTable,
  TrackerFieldTable,
  TrackerHookTable,
  TrackerLinkTable,
} from './tables/tracker-tables'
import type { GoneItemTable, SnapshotTable, WorkItemTable, WorkspaceVersionTable } from './tables/work-item-tables'

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

/** What creates the tables is loaded for a new database only. */
export const itemsMigration: Migration = {
  name: '0001-items',
  async up(db, engine) {
    await (await import('./create-tables')).createItemTables(db, engine)
  },
}
