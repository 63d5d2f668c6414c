export { itemsMigration } from './migrations'
export {
  deleteCreation,
  findCachedItem,
  findFieldsAtRevision,
  findItemNames,
  findLatestFields,
  findRelatedPeople,
  findSearchableItems,
  incrementWorkspaceVersion,
  listCachedItems,
  listItemStamps,
  listIterationEnds,
  listIterations,
  listReportables,
  type NameOf,
  type Reportable,
  readPastStates,
  readSearchableChanges,
  readWorkspaceVersion,
  recordChangedSearchables,
  recordRemovedSearchable,
  type Searchable,
  type SearchableStamp,
  type SearchableType,
  type SyncMemory,
  type SyncState,
  TEXT_BYTES,
  touchWorkspace,
} from './queries'
export { SEARCHABLE_TABLES, VERSION_TABLE } from './queries/searchable-tables'
export type { CachedItem } from './rules/cached-item'
export { addHtml, findTextFormat, type ItemVersion, listIdentities, valueToShow, valueToStore } from './rules/long-text'
export { findPeopleInFields, type PastState } from './rules/snapshot-fields'
export { createUpdateError, type FieldUpdate, type GivenFields, separateParent } from './rules/update-fields'
export { findConflictingChanges, type ItemOutcome, listFieldChanges, readValue } from './rules/update-plan'
export {
  FieldChange,
  FieldValue,
  Instant,
  ItemId,
  itemSource,
  Person,
  PlannedUploads,
  Reference,
  StateCategory,
  TrackerName,
} from './schemas'
export {
  IMAGES_OF_TEXTS,
  type ImageFile,
  ImageFiles,
  MAX_IMAGE_BODY_BYTES,
  MAX_IMAGE_BYTES,
  MAX_IMAGE_FILES,
  readImageFiles,
} from './services/attachments/image-files'
export type { LocalFiles, LocalFilesContext } from './services/attachments/local-files'
export { TextImages } from './services/attachments/text-images'
export { type CreatedItem, createOnce, createRejectedError, removeLeftMarkers } from './services/create/create-once'
export { createRejectionError } from './services/create/create-rejection-error'
export { type PreparedItem, prepareNewItem, saveItem } from './services/create/create-work-item'
export { describeRejectedFields } from './services/create/describe-rejected-fields'
export { givenFieldsInput, parseSetFlag, setFlag } from './services/create/given-fields-input'
export { inspectCreations } from './services/create/inspect-creations'
export {
  type ChosenField,
  findIdsByFields,
  readChosenValues,
  readFieldTest,
  requireCustomFields,
} from './services/custom-fields'
export { findIdsByFilter } from './services/filters'
export { listCurrentIterations } from './services/find-items'
export { fetchItems, saveFetched } from './services/import/fetch-items'
export { inspectSync, readSyncStatus } from './services/import/sync-status'
export { CustomFieldNames } from './services/item-sort'
export { nameItemsInError } from './services/name-in-errors'
export { nameItems } from './services/name-items'
export { acceptsReferences, REFERENCE_ERRORS, resolveInput } from './services/resolve-input'
export type { TrackerLink } from './services/tracker-identity'
export { openTrackerLink, type TrackerChoice } from './services/tracker-link'
export { openTrackerPart, requirePart } from './services/tracker-part'
export { checkValues, resolveFields } from './services/update/check-updates'
export { sendUpdates } from './services/update/send-updates'
export {
  createItemNotFoundError,
  createNoSnapshotError,
  TRACKER_ERRORS,
  type TrackerWorkspaceContext,
  type WorkspaceContext,
} from './services/workspace-context'
