import type { ResultOf } from '../../src/catalog'
import type { OperationId } from '../../src/kernel'
import { formatJson } from '../terminal/format-json'
import type { FileView, OperationUi, View } from './command-parts'

const operationUis: { [Id in OperationId]?: OperationUi<ResultOf<Id>> } = {
  'features.import': {
    view: async () => (await import('../views/stories/imports')).renderFeatureImport,
    askForInput: async () => (await import('./ask-for-features')).askForFeatures,
  },
  'features.import-many': { view: async () => (await import('../views/stories/imports')).renderFeatureImports },
  'features.list': { view: async () => (await import('../views/stories/tracker')).renderFeatures },
  'items.import-single': { view: async () => (await import('../views/stories/imports')).renderItemImports },
  'items.import-file': { view: async () => (await import('../views/stories/imports')).renderFileImport },
  'items.get': { view: async () => (await import('../views/stories/work-item')).renderItem },
  'items.list': {
    view: async () => (await import('../views/stories/work-item')).renderItems,
    format: 'table',
    formats: { csv: async () => (await import('../views/stories/work-item')).renderItemsCsv },
    prepare: async () => (await import('./list-columns')).prepareItemList,
    canWatch: true,
    saysWhyOld: true,
  },
  'items.freshness': { view: async () => (await import('../views/stories/item-history')).renderFreshness },
  'items.history': { view: async () => (await import('../views/stories/item-history')).renderItemHistory },
  'items.search': { view: async () => (await import('../views/stories/tracker')).renderTrackerSearch },
  'items.metadata': { view: async () => (await import('../views/stories/tracker')).renderTrackerMetadata },
  'items.sync': { view: async () => (await import('../views/stories/imports')).renderSync },
  'tracker.hooks': { view: async () => (await import('../views/stories/tracker-hooks')).renderTrackerHooks },
  'items.sync-status': { view: async () => (await import('../views/stories/imports')).renderSyncStatus },
  'items.batch-update': {
    view: async () => (await import('../views/stories/batch-outcome')).renderBatchOutcome,
    prepare: async () => (await import('./select-items')).prepareBatchUpdate,
  },
  'items.comments': { view: async () => (await import('../views/stories/comments')).renderComments },
  'items.comment': { view: async () => (await import('../views/stories/comments')).renderAddedComment },
  'items.attachments': { view: async () => (await import('../views/stories/attachments')).renderAttachments },
  'items.download-attachments': {
    view: async () => (await import('../views/stories/attachments')).renderDownloads,
    prepare: async () => (await import('./refuse-terminal-bytes')).refuseTerminalBytes,
  },
  'items.attach-files': { view: async () => (await import('../views/stories/attachments')).renderSentFiles },
  'items.link': { view: async () => (await import('../views/stories/batch-outcome')).renderBatchOutcome },
  'items.unlink': { view: async () => (await import('../views/stories/batch-outcome')).renderBatchOutcome },
  'items.create': {
    view: async () => (await import('../views/stories/new-item')).renderNewItem,
    askForMissing: async () => (await import('./ask-for-new-item')).askForNewItem,
  },
  'items.publish-draft': {
    view: async () => (await import('../views/stories/publication')).renderPublication,
    settleConflicts: async () => (await import('./settle-publication')).settlePublication,
  },
  'drafts.copy-sanitize': { view: async () => (await import('../views/stories/draft')).renderSanitizedDraft },
  'drafts.get': {
    view: async () => (await import('../views/stories/draft')).renderDraft,
    format: 'text',
    formats: {
      md: async () => (await import('../views/stories/draft')).renderDraftFile,
      json: async () => formatJson,
    },
  },
  'drafts.list': { view: async () => (await import('../views/stories/draft-list')).renderDrafts },
  'drafts.save': { view: async () => (await import('../views/stories/draft')).renderSavedDraft },
  'drafts.move': { view: async () => (await import('../views/stories/draft')).renderSavedDraft },
  'drafts.undo': { view: async () => (await import('../views/stories/draft')).renderSavedDraft },
  'drafts.history': { view: async () => (await import('../views/stories/draft')).renderDraftHistory },
  'drafts.delete': { view: async () => (await import('../views/stories/draft')).renderDeletedDraft },
  'folders.list': { view: async () => (await import('../views/stories/folder')).renderFolders },
  'folders.create': { view: async () => (await import('../views/stories/folder')).renderSavedFolder },
  'folders.update': { view: async () => (await import('../views/stories/folder')).renderSavedFolder },
  'folders.delete': { view: async () => (await import('../views/stories/folder')).renderDeletedFolder },
  'filters.list': { view: async () => (await import('../views/stories/filter')).renderFilters },
  'filters.save': { view: async () => (await import('../views/stories/filter')).renderSavedFilter },
  'filters.delete': { view: async () => (await import('../views/stories/filter')).renderDeletedFilter },
  'filters.working': { view: async () => (await import('../views/stories/filter')).renderWorkingFilter },
  'filters.set-working': { view: async () => (await import('../views/stories/filter')).renderWorkingFilter },
  'filters.clear-working': { view: async () => (await import('../views/stories/filter')).renderWorkingFilter },
  'views.list': { view: async () => (await import('../views/stories/filter')).renderViews },
  'views.get': { view: async () => (await import('../views/stories/filter')).renderView },
  'views.save': { view: async () => (await import('../views/stories/filter')).renderSavedView },
  'views.delete': { view: async () => (await import('../views/stories/filter')).renderDeletedView },
  'search.fast': {
    view: async () => (await import('../views/stories/search-results')).renderSearchResults,
    afterResult: async () => (await import('../terminal/open-page')).openFirstPage,
  },
  'search.stats': { view: async () => (await import('../views/stories/search-results')).renderIndexStats },
  'search.reindex': { view: async () => (await import('../views/stories/search-results')).renderRebuiltIndex },
  'reports.briefing': {
    view: async () => (await import('../views/reports/briefing')).renderBriefing,
    saysWhyOld: true,
    format: 'md',
    formats: {
      html: async () => (await import('../views/reports/briefing-page')).renderBriefingPage,
      txt: async () => (await import('../views/reports/briefing-plain')).renderBriefingPlain,
    },
  },
  'reports.hierarchy': {
    view: async () => (await import('../views/reports/hierarchy-tree')).renderHierarchyTree,
    saysWhyOld: true,
    format: 'tree',
    canWatch: true,
    formats: {
      table: async () => (await import('../views/reports/hierarchy-formats')).renderHierarchyTable,
      csv: async () => (await import('../views/reports/hierarchy-formats')).renderHierarchyCsv,
      md: async () => (await import('../views/reports/hierarchy-formats')).renderHierarchyMarkdown,
      html: async () => (await import('../views/reports/hierarchy-page')).renderHierarchyPage,
    },
  },
  'reports.summary': {
    view: async () => (await import('../views/reports/summary')).renderSummary,
    saysWhyOld: true,
    format: 'text',
    formats: {
      md: async () => (await import('../views/reports/summary-markdown')).renderSummaryMarkdown,
      html: async () => (await import('../views/reports/summary-page')).renderSummaryPage,
      csv: async () => (await import('../views/reports/summary-csv')).renderSummaryCsv,
    },
  },
  'llm.models': { view: async () => (await import('../views/stories/assistant')).renderModels },
  'prompts.list': { view: async () => (await import('../views/stories/assistant')).renderPrompts },
  'prompts.get': { view: async () => (await import('../views/stories/assistant')).renderPrompt },
  'drafts.refine': {
    view: async () => (await import('../views/stories/assistant')).renderRefinement,
    handleError: async () => (await import('../terminal/recovery-file')).saveRejectedRefinement,
  },
  'priorities.get': { view: async () => (await import('../views/reports/priorities')).renderPriorities },
  'priorities.set': { view: async () => (await import('../views/reports/priorities')).renderPriorities },
  'appointments.book': { view: async () => (await import('../views/docks/appointment')).renderAppointmentAnswer },
  'appointments.reschedule': { view: async () => (await import('../views/docks/appointment')).renderAppointmentAnswer },
  'appointments.update': { view: async () => (await import('../views/docks/appointment')).renderAppointmentAnswer },
  'appointments.swap': { view: async () => (await import('../views/docks/appointment')).renderAppointmentAnswer },
  'appointments.complete': { view: async () => (await import('../views/docks/appointment')).renderAppointmentAnswer },
  'appointments.reopen': { view: async () => (await import('../views/docks/appointment')).renderAppointmentAnswer },
  'appointments.check-in': { view: async () => (await import('../views/docks/appointment')).renderAppointmentAnswer },
  'appointments.step': { view: async () => (await import('../views/docks/appointment')).renderAppointmentAnswer },
  'appointments.undo-step': { view: async () => (await import('../views/docks/appointment')).renderAppointmentAnswer },
  'appointments.get': {
    view: async () => (await import('../views/docks/appointment-history')).renderAppointment,
    format: 'text',
    formats: {
      svg: async () => (await import('../views/docks/reference-code')).renderReferenceSvg,
      png: async () => (await import('../views/docks/reference-code')).renderReferencePng,
    },
  },
  'appointments.events': {
    view: async () => (await import('../views/docks/appointment-history')).renderEvents,
    part: async () => (await import('../views/docks/appointment-history')).renderEvent,
  },
  'appointments.history': {
    view: async () => (await import('../views/docks/appointment-history')).renderAppointmentHistory,
  },
  'appointments.find': { view: async () => (await import('../views/docks/appointment')).renderFoundAppointments },
  'appointments.list': {
    view: async () => (await import('../views/docks/appointment')).renderAppointments,
    format: 'table',
    formats: {
      csv: async () => (await import('../views/docks/appointments-csv')).renderAppointmentsCsv,
      ics: async () => (await import('../views/docks/appointments-calendar')).renderAppointmentsCalendar,
    },
    prepare: async () => (await import('./calendar-organizer')).prepareAppointmentList,
  },
  'holds.list': { view: async () => (await import('../views/docks/appointment')).renderHolds },
  'holds.create': { view: async () => (await import('../views/docks/appointment')).renderHoldAnswer },
  'holds.confirm': { view: async () => (await import('../views/docks/appointment')).renderAppointmentAnswer },
  'attachments.add': { view: async () => (await import('../views/docks/attachment')).renderAddedAttachment },
  'attachments.list': { view: async () => (await import('../views/docks/attachment')).renderAttachments },
  'waitlist.list': { view: async () => (await import('../views/docks/waitlist')).renderWaitlist },
  'waitlist.add': { view: async () => (await import('../views/docks/waitlist')).renderWaitlistAnswer },
  'waitlist.accept': { view: async () => (await import('../views/docks/appointment')).renderAppointmentAnswer },
  'series.list': { view: async () => (await import('../views/docks/series')).renderSeriesList },
  'series.get': { view: async () => (await import('../views/docks/series')).renderSeries },
  'series.create': { view: async () => (await import('../views/docks/series')).renderSeriesAnswer },
  'series.update': { view: async () => (await import('../views/docks/series')).renderSeriesAnswer },
  'series.end': { view: async () => (await import('../views/docks/series')).renderSeriesAnswer },
  'series.skip': { view: async () => (await import('../views/docks/series')).renderSeriesAnswer },
  'series.move': { view: async () => (await import('../views/docks/series')).renderSeriesAnswer },
  'series.materialize': { view: async () => (await import('../views/docks/series')).renderMaterialized },
  'appointments.import': { view: async () => (await import('../views/docks/appointment')).renderImportReport },
  'appointments.partition': { view: async () => (await import('../views/storage')).renderPartitioned },
  'appointments.archive': { view: async () => (await import('../views/docks/archive-report')).renderArchiveReport },
  'appointments.unarchive': { view: async () => (await import('../views/docks/archive-report')).renderUnarchiveReport },
  'appointments.clear': { view: async () => (await import('../views/docks/clear-report')).renderClearReport },
  'facilities.update': { view: async () => (await import('../views/docks/facility-change')).renderFacilityChange },
  'facilities.delete': { view: async () => (await import('../views/docks/facility')).renderFacility },
  'facilities.restore': { view: async () => (await import('../views/docks/facility')).renderFacility },
  'carriers.admit': { view: async () => (await import('../views/docks/facility-change')).renderFacilityChange },
  'carriers.exclude': { view: async () => (await import('../views/docks/facility-change')).renderFacilityChange },
  'facilities.close': { view: async () => (await import('../views/docks/facility-change')).renderFacilityChange },
  'facilities.reopen': { view: async () => (await import('../views/docks/facility-change')).renderFacilityChange },
  'facilities.block': { view: async () => (await import('../views/docks/facility-change')).renderFacilityChange },
  'facilities.unblock': { view: async () => (await import('../views/docks/facility-change')).renderFacilityChange },
  'facilities.conflicts': { view: async () => (await import('../views/docks/facility-change')).renderConflicts },
  'facilities.availability': { view: async () => (await import('../views/docks/facility')).renderAvailability },
  'facilities.report': {
    view: async () => (await import('../views/docks/dock-report')).renderDockReport,
    format: 'text',
    formats: {
      csv: async () => (await import('../views/docks/dock-report-files')).renderDockReportCsv,
      html: async () => (await import('../views/docks/dock-report-files')).renderDockReportPage,
    },
  },
  'facilities.board': {
    view: async () => (await import('../views/board/timeline')).renderTimeline,
    format: 'text',
    formats: {
      svg: async () => (await import('../views/board/drawing')).renderBoardSvg,
      html: async () => (await import('../views/board/page')).renderBoardPage,
    },
  },
  'doors.list': { view: async () => (await import('../views/docks/facility')).renderDoors },
  'doors.add': { view: async () => (await import('../views/docks/facility-change')).renderFacilityChange },
  'doors.update': { view: async () => (await import('../views/docks/facility-change')).renderFacilityChange },
  'doors.remove': { view: async () => (await import('../views/docks/facility-change')).renderFacilityChange },
  'facilities.create': {
    view: async () => (await import('../views/docks/facility')).renderFacility,
    askForInput: async () => (await import('./ask-for-facility')).askForFacility,
  },
  'facilities.get': { view: async () => (await import('../views/docks/facility')).renderFacility },
  'facilities.set-check': { view: async () => (await import('../views/docks/booking-check')).renderBookingCheck },
  'facilities.get-check': { view: async () => (await import('../views/docks/booking-check')).renderBookingCheck },
  'facilities.list': { view: async () => (await import('../views/docks/facility')).renderFacilities },
  'facilities.create-gate-link': {
    view: async () => (await import('../views/docks/gate-link')).renderNewGateLink,
    format: 'text',
    formats: {
      svg: async () => (await import('../views/docks/gate-link')).renderGateLinkSvg,
      png: async () => (await import('../views/docks/gate-link')).renderGateLinkPng,
    },
    prepare: async () => (await import('./gate-link-image')).prepareGateLink,
  },
  'facilities.list-gate-links': { view: async () => (await import('../views/docks/gate-links')).renderGateLinks },
  'yard.board': { view: async () => (await import('../views/docks/yard')).renderYard },
  'yard.list': {
    view: async () => (await import('../views/docks/yard')).renderTrailers,
    format: 'table',
    formats: { csv: async () => (await import('../views/docks/trailers-csv')).renderTrailersCsv },
  },
  'yard.get': { view: async () => (await import('../views/docks/yard')).renderTrailer },
  'yard.arrive': { view: async () => (await import('../views/docks/yard')).renderTrailerAnswer },
  'yard.move': { view: async () => (await import('../views/docks/yard')).renderTrailerAnswer },
  'yard.update': { view: async () => (await import('../views/docks/yard')).renderTrailerAnswer },
  'yard.leave': { view: async () => (await import('../views/docks/yard')).renderTrailerAnswer },
  'yard.undo': { view: async () => (await import('../views/docks/yard')).renderTrailerAnswer },
  'yard.add-spots': { view: async () => (await import('../views/docks/yard')).renderAddedSpots },
  'yard.import': { view: async () => (await import('../views/docks/yard')).renderTrailerImport },
  'webhooks.add': { view: async () => (await import('../views/docks/webhook')).renderNewWebhook },
  'webhooks.rotate-secret': { view: async () => (await import('../views/docks/webhook')).renderNewSecret },
  'webhooks.list': { view: async () => (await import('../views/docks/webhook')).renderWebhooks },
  'webhooks.dead-letters': { view: async () => (await import('../views/docks/webhook')).renderDeadLetters },
  'webhooks.deliver': { view: async () => (await import('../views/docks/webhook')).renderDelivery },
  'mail-templates.list': { view: async () => (await import('../views/docks/mail-template')).renderMailTemplates },
  'mail-templates.get': { view: async () => (await import('../views/docks/mail-template')).renderMailTemplate },
  'mail-templates.set': { view: async () => (await import('../views/docks/mail-template')).renderMail },
  'mail-templates.preview': { view: async () => (await import('../views/docks/mail-template')).renderMail },
  'audit.list': { view: async () => (await import('../views/audit')).renderAudit },
  'audit.export': { part: async () => (await import('../views/audit')).renderExportedEntry },
  'storage.backup': { view: async () => (await import('../views/storage')).renderBackup },
  'storage.migrate': { view: async () => (await import('../views/storage')).renderMigrated },
  'storage.restore': { view: async () => (await import('../views/storage')).renderRestored },
  'system.doctor': { view: async () => (await import('../views/storage')).renderCheckUp },
  'carriers.invite': { view: async () => (await import('../views/invitations')).renderInvitation },
  'carriers.list-invitations': { view: async () => (await import('../views/invitations')).renderInvitations },
  'tokens.create': { view: async () => (await import('../views/credentials')).renderNewToken },
  'tokens.list': { view: async () => (await import('../views/credentials')).renderTokens },
  'sessions.list': { view: async () => (await import('../views/credentials')).renderSessions },
  'tenants.list-keys': { view: async () => (await import('../views/credentials')).renderKeys },
  'staff.list': { view: async () => (await import('../views/credentials')).renderStaff },
  'tenants.create-key': { view: async () => (await import('../views/credentials')).renderNewKey },
  'llm.chat': {
    part: async () => (await import('../views/stories/assistant')).renderAnswerPart,
  },
  'chat.stream': {
    part: async () => (await import('../views/stories/assistant')).renderAnswerPart,
  },
}

export function getOperationUi(id: string): OperationUi {
  return operationUis[id as OperationId] ?? {}
}

/** Whether a format is one of a file, such as CSV: its text has no colors of ours. */
export function isForPrograms(id: string, format: string): boolean {
  return format !== 'table' && getOperationUi(id).formats?.[format] !== undefined
}

/** The view of a format; where the operation has none, that of its results. */
export async function loadFileView(id: string, format: string | null): Promise<FileView> {
  const load = format === null ? undefined : getOperationUi(id).formats?.[format]
  return load ? load() : loadView(id)
}

/** The view for people. */
export async function loadView(id: string): Promise<View> {
  const { view } = getOperationUi(id)
  return view ? view() : (await import('../views/any-result')).renderAnyResult
}
