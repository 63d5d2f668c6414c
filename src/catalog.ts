import type { z } from 'zod'
import { type AnyOperation, formatCommandLine, type OperationId, StudioError, type SuggestedCall } from './kernel'
import type { StudioContext } from './studio-context'

type Load = () => Promise<AnyOperation<StudioContext>>

/** Every operation by its id, in the order of help and of the API's description. Each is loaded when it is needed. */
export const catalog = {
  'system.health': async () => (await import('./system/operations/report-health')).reportHealth,
  'system.ready': async () => (await import('./system/operations/report-readiness')).reportReadiness,

  'features.import': async () => (await import('./items/operations/import/import-feature')).importFeature,
  'features.import-many': async () => (await import('./items/operations/import/import-features')).importFeatures,
  'features.list': async () => (await import('./items/operations/list-features')).listFeatures,
  'items.import-single': async () => (await import('./items/operations/import/import-single')).importSingle,
  'items.import-file': async () => (await import('./items/operations/import/import-file')).importFile,
  'drafts.copy-sanitize': async () => (await import('./drafts/operations/copy-sanitize')).copySanitize,
  'search.fast': async () => (await import('./search/operations/search-workspace')).searchWorkspace,
  'items.batch-update': async () => (await import('./items/operations/batch-update')).batchUpdate,
  'reports.briefing': async () => (await import('./reports/operations/generate-briefing')).generateBriefing,
  'appointments.book': async () => (await import('./docks/booking/operations/book-appointment')).bookAppointment,
  'appointments.reschedule': async () =>
    (await import('./docks/booking/operations/reschedule-appointment')).rescheduleAppointment,

  'search.stats': async () => (await import('./search/operations/index-stats')).indexStats,
  'search.reindex': async () => (await import('./search/operations/rebuild-index')).rebuildIndex,
  'items.get': async () => (await import('./items/operations/get-item')).getItem,
  'items.resolve': async () => (await import('./items/operations/resolve-references')).resolveReferences,
  'items.freshness': async () => (await import('./items/operations/import/check-freshness')).checkFreshness,
  'items.history': async () => (await import('./items/operations/list-item-history')).listItemHistory,
  'items.search': async () => (await import('./items/operations/search-tracker')).searchTracker,
  'items.metadata': async () => (await import('./items/operations/describe-tracker')).describeTracker,
  'items.sync': async () => (await import('./items/operations/import/sync-items')).syncItems,
  'items.sync-status': async () => (await import('./items/operations/import/report-sync')).reportSync,
  'tracker.hooks': async () => (await import('./items/operations/connect-tracker-hooks')).connectTrackerHooks,
  'items.comments': async () => (await import('./items/operations/list-comments')).listComments,
  'items.comment': async () => (await import('./items/operations/add-comment')).addComment,
  'items.attachments': async () =>
    (await import('./items/operations/attachments/list-attachments')).listItemAttachments,
  'items.attachment': async () => (await import('./items/operations/attachments/get-attachment')).getItemAttachment,
  'items.download-attachments': async () =>
    (await import('./items/operations/attachments/download-attachments')).downloadAttachments,
  'items.attach': async () => (await import('./items/operations/attachments/attach-file')).attachFile,
  'items.attach-files': async () => (await import('./items/operations/attachments/attach-files')).attachFiles,
  'items.create': async () => (await import('./items/operations/create-item')).createItem,
  'items.link': async () => (await import('./items/operations/link-item')).linkItem,
  'items.unlink': async () => (await import('./items/operations/unlink-item')).unlinkItem,
  'items.select': async () => (await import('./search/operations/select-items')).selectItems,
  'items.list': async () => (await import('./items/operations/list-items')).listItems,
  'drafts.list': async () => (await import('./drafts/operations/list-drafts')).listDrafts,
  'drafts.get': async () => (await import('./drafts/operations/get-draft')).getDraft,
  'drafts.save': async () => (await import('./drafts/operations/save-draft')).saveDraft,
  'items.publish-draft': async () => (await import('./drafts/operations/publish-draft')).publishDraft,
  'drafts.move': async () => (await import('./drafts/operations/move-draft')).moveDraft,
  'drafts.delete': async () => (await import('./drafts/operations/delete-draft')).deleteDraft,
  'drafts.history': async () => (await import('./drafts/operations/list-draft-history')).listDraftHistory,
  'drafts.undo': async () => (await import('./drafts/operations/undo-draft')).undoDraft,
  'folders.list': async () => (await import('./drafts/operations/list-folders')).listFolders,
  'folders.create': async () => (await import('./drafts/operations/create-folder')).createFolder,
  'folders.update': async () => (await import('./drafts/operations/update-folder')).updateFolder,
  'folders.delete': async () => (await import('./drafts/operations/delete-folder')).deleteFolder,
  'filters.list': async () => (await import('./items/operations/filters/list-filters')).listFilters,
  'filters.save': async () => (await import('./items/operations/filters/save-filter')).saveFilter,
  'filters.delete': async () => (await import('./items/operations/filters/delete-filter')).deleteFilter,
  'filters.working': async () => (await import('./items/operations/filters/get-working-filter')).getWorkingFilter,
  'filters.set-working': async () => (await import('./items/operations/filters/set-working-filter')).setWorkingFilter,
  'filters.clear-working': async () =>
    (await import('./items/operations/filters/clear-working-filter')).clearWorkingFilter,
  'views.save': async () => (await import('./items/operations/filters/save-view')).saveView,
  'views.list': async () => (await import('./items/operations/filters/list-views')).listViews,
  'views.get': async () => (await import('./items/operations/filters/get-view')).getView,
  'views.delete': async () => (await import('./items/operations/filters/delete-view')).deleteView,
  'reports.hierarchy': async () => (await import('./reports/operations/report-hierarchy')).reportHierarchy,
  'reports.summary': async () => (await import('./reports/operations/report-summary')).reportSummary,
  'priorities.get': async () => (await import('./reports/operations/get-priorities')).getPriorities,
  'priorities.set': async () => (await import('./reports/operations/set-priorities')).setPriorities,

  'llm.models': async () => (await import('./assistant/operations/list-models')).listModels,
  'llm.chat': async () => (await import('./assistant/operations/chat-once')).chatOnce,
  'llm.load': async () => (await import('./assistant/operations/load-model')).loadModel,
  'chat.stream': async () => (await import('./assistant/operations/stream-chat')).streamChat,
  'drafts.refine': async () => (await import('./assistant/operations/refine-draft')).refineDraft,
  'prompts.list': async () => (await import('./assistant/operations/list-prompts')).listPrompts,
  'prompts.get': async () => (await import('./assistant/operations/get-prompt')).getPrompt,
  'prompts.fill': async () => (await import('./assistant/operations/fill-prompt')).fillPrompt,

  'appointments.list': async () => (await import('./docks/booking/operations/list-appointments')).listAppointments,
  'appointments.get': async () => (await import('./docks/booking/operations/get-appointment')).getAppointment,
  'appointments.update': async () => (await import('./docks/booking/operations/update-appointment')).updateAppointment,
  'appointments.swap': async () => (await import('./docks/booking/operations/swap-appointments')).swapAppointments,
  'appointments.cancel': async () => (await import('./docks/booking/operations/cancel-appointment')).cancelAppointment,
  'appointments.complete': async () =>
    (await import('./docks/visits/operations/complete-appointment')).completeAppointment,
  'appointments.reopen': async () => (await import('./docks/visits/operations/reopen-appointment')).reopenAppointment,
  'appointments.check-in': async () =>
    (await import('./docks/visits/operations/check-in-appointment')).checkInAppointment,
  'appointments.step': async () => (await import('./docks/visits/operations/record-step')).recordStep,
  'appointments.undo-step': async () => (await import('./docks/visits/operations/undo-step')).undoStep,
  'appointments.events': async () => (await import('./docks/events/operations/list-events')).listEvents,
  'appointments.find': async () => (await import('./docks/booking/operations/find-appointments')).findAppointments,
  'appointments.history': async () => (await import('./docks/booking/operations/show-history')).showHistory,
  'appointments.import': async () =>
    (await import('./docks/booking/operations/import-appointments')).importAppointments,
  'appointments.clear': async () => (await import('./docks/booking/operations/clear-appointments')).clearAppointments,
  'appointments.partition': async () =>
    (await import('./docks/archive/operations/partition-appointments')).partitionAppointmentTable,
  'appointments.archive': async () =>
    (await import('./docks/archive/operations/archive-appointments')).archiveAppointments,
  'appointments.unarchive': async () =>
    (await import('./docks/archive/operations/unarchive-appointments')).unarchiveAppointments,
  'holds.list': async () => (await import('./docks/booking/operations/list-holds')).listHolds,
  'attachments.add': async () => (await import('./docks/attachments/operations/add-attachment')).addAttachment,
  'attachments.list': async () => (await import('./docks/attachments/operations/list-attachments')).listAttachments,
  'attachments.get': async () => (await import('./docks/attachments/operations/get-attachment')).getAttachment,
  'attachments.remove': async () => (await import('./docks/attachments/operations/remove-attachment')).removeAttachment,
  'holds.create': async () => (await import('./docks/booking/operations/create-hold')).createHold,
  'holds.confirm': async () => (await import('./docks/booking/operations/confirm-hold')).confirmHold,
  'holds.release': async () => (await import('./docks/booking/operations/release-hold')).releaseHold,
  'waitlist.list': async () => (await import('./docks/waitlist/operations/list-waitlist')).listWaitlist,
  'waitlist.add': async () => (await import('./docks/waitlist/operations/add-to-waitlist')).addToWaitlist,
  'waitlist.accept': async () => (await import('./docks/waitlist/operations/accept-offer')).acceptOffer,
  'waitlist.decline': async () => (await import('./docks/waitlist/operations/decline-offer')).declineOffer,
  'waitlist.remove': async () => (await import('./docks/waitlist/operations/remove-from-waitlist')).removeFromWaitlist,
  'appointments.remind': async () => (await import('./docks/reminders/operations/remind')).remindOfAppointments,
  'waitlist.offer': async () => (await import('./docks/waitlist/operations/offer-slots')).offerSlots,
  'series.list': async () => (await import('./docks/series/operations/list-series')).listSeries,
  'series.get': async () => (await import('./docks/series/operations/get-series')).getSeries,
  'series.create': async () => (await import('./docks/series/operations/create-series')).createSeries,
  'series.update': async () => (await import('./docks/series/operations/update-series')).updateSeries,
  'series.end': async () => (await import('./docks/series/operations/end-series')).endSeries,
  'series.skip': async () => (await import('./docks/series/operations/skip-series-date')).skipSeriesDate,
  'series.move': async () => (await import('./docks/series/operations/move-series-date')).moveSeriesDate,
  'series.materialize': async () => (await import('./docks/series/operations/materialize-series')).materializeSeries,
  'facilities.list': async () => (await import('./docks/facilities/operations/list-facilities')).listFacilities,
  'facilities.get': async () => (await import('./docks/facilities/operations/get-facility')).getFacility,
  'facilities.create': async () => (await import('./docks/facilities/operations/create-facility')).createFacility,
  'facilities.update': async () => (await import('./docks/facilities/operations/update-facility')).updateFacility,
  'facilities.delete': async () => (await import('./docks/facilities/operations/delete-facility')).deleteFacility,
  'facilities.restore': async () => (await import('./docks/facilities/operations/restore-facility')).restoreFacility,
  'carriers.admit': async () => (await import('./docks/carriers/operations/admit-carrier')).admitCarrier,
  'carriers.exclude': async () => (await import('./docks/carriers/operations/exclude-carrier')).excludeCarrier,
  'carriers.invite': async () => (await import('./access/operations/invite-carrier')).inviteCarrier,
  'carriers.list-invitations': async () => (await import('./access/operations/list-invitations')).listInvitations,
  'carriers.revoke-invitation': async () => (await import('./access/operations/revoke-invitation')).revokeInvitation,
  'facilities.close': async () => (await import('./docks/facilities/operations/close-facility')).closeFacility,
  'facilities.reopen': async () => (await import('./docks/facilities/operations/reopen-facility')).reopenFacility,
  'facilities.block': async () => (await import('./docks/facilities/operations/block-time')).blockTime,
  'facilities.unblock': async () => (await import('./docks/facilities/operations/unblock-time')).unblockTime,
  'facilities.conflicts': async () => (await import('./docks/facilities/operations/list-conflicts')).listConflicts,
  'facilities.availability': async () =>
    (await import('./docks/booking/operations/show-availability')).showAvailability,
  'facilities.report': async () => (await import('./docks/reports/operations/report-facility')).reportFacility,
  'facilities.board': async () => (await import('./docks/facilities/operations/show-board')).showBoard,
  'facilities.set-check': async () => (await import('./docks/checks/operations/set-booking-check')).setBookingCheck,
  'facilities.get-check': async () => (await import('./docks/checks/operations/get-booking-check')).getBookingCheck,
  'facilities.remove-check': async () =>
    (await import('./docks/checks/operations/remove-booking-check')).removeBookingCheck,
  'facilities.test-check': async () => (await import('./docks/checks/operations/test-booking-check')).testBookingCheck,
  'facilities.create-gate-link': async () => (await import('./docks/gate/operations/create-gate-link')).createGateLink,
  'facilities.list-gate-links': async () => (await import('./docks/gate/operations/list-gate-links')).listGateLinks,
  'facilities.revoke-gate-link': async () => (await import('./docks/gate/operations/revoke-gate-link')).revokeGateLink,
  'yard.board': async () => (await import('./docks/yard/operations/show-yard')).showYard,
  'yard.list': async () => (await import('./docks/yard/operations/list-trailers')).listTrailers,
  'yard.get': async () => (await import('./docks/yard/operations/get-trailer')).getTrailer,
  'yard.arrive': async () => (await import('./docks/yard/operations/arrive')).arriveTrailer,
  'yard.move': async () => (await import('./docks/yard/operations/move')).moveTrailer,
  'yard.update': async () => (await import('./docks/yard/operations/update-trailer')).updateTrailer,
  'yard.leave': async () => (await import('./docks/yard/operations/leave')).leaveYard,
  'yard.undo': async () => (await import('./docks/yard/operations/undo')).undoTrailerChange,
  'yard.import': async () => (await import('./docks/yard/operations/import-trailers')).importTrailers,
  'yard.add-spots': async () => (await import('./docks/yard/operations/add-spots')).addSpots,
  'yard.remove-spot': async () => (await import('./docks/yard/operations/remove-spot')).removeSpot,
  'doors.list': async () => (await import('./docks/facilities/operations/list-doors')).listDoors,
  'doors.add': async () => (await import('./docks/facilities/operations/add-door')).addDoor,
  'doors.update': async () => (await import('./docks/facilities/operations/update-door')).updateDoor,
  'doors.remove': async () => (await import('./docks/facilities/operations/remove-door')).removeDoor,
  'webhooks.add': async () => (await import('./docks/events/operations/add-webhook')).addWebhook,
  'webhooks.list': async () => (await import('./docks/events/operations/list-webhooks')).listWebhooks,
  'webhooks.update': async () => (await import('./docks/events/operations/update-webhook')).updateWebhook,
  'webhooks.rotate-secret': async () => (await import('./docks/events/operations/rotate-webhook')).rotateWebhookSecret,
  'webhooks.remove': async () => (await import('./docks/events/operations/remove-webhook')).removeWebhook,
  'webhooks.test': async () => (await import('./docks/events/operations/test-webhook')).testWebhook,
  'webhooks.dead-letters': async () => (await import('./docks/events/operations/list-dead-letters')).listDeadLetters,
  'webhooks.replay': async () => (await import('./docks/events/operations/replay-webhook')).replayWebhook,
  'webhooks.resume': async () => (await import('./docks/events/operations/resume-webhook')).resumeWebhook,
  'webhooks.deliver': async () => (await import('./docks/events/operations/deliver-webhooks')).deliverWebhooks,
  'mail-templates.list': async () => (await import('./docks/events/operations/list-mail-templates')).listMailTemplates,
  'mail-templates.get': async () => (await import('./docks/events/operations/get-mail-template')).getMailTemplate,
  'mail-templates.set': async () => (await import('./docks/events/operations/set-mail-template')).setMailTemplate,
  'mail-templates.reset': async () => (await import('./docks/events/operations/reset-mail-template')).resetMailTemplate,
  'mail-templates.preview': async () =>
    (await import('./docks/events/operations/preview-mail-template')).previewMailTemplate,
  'mail-templates.test': async () => (await import('./docks/events/operations/test-mail-template')).testMailTemplate,
  'tenants.list': async () => (await import('./access/operations/list-tenants')).listTenants,
  'tenants.create': async () => (await import('./access/operations/create-tenant')).createTenant,
  'tenants.create-key': async () => (await import('./access/operations/create-tenant-key')).createTenantKey,
  'tenants.list-keys': async () => (await import('./access/operations/list-tenant-keys')).listTenantKeys,
  'tenants.revoke-key': async () => (await import('./access/operations/revoke-tenant-key')).revokeTenantKey,
  'tokens.create': async () => (await import('./access/operations/create-token')).createToken,
  'tokens.list': async () => (await import('./access/operations/list-tokens')).listTokens,
  'tokens.revoke': async () => (await import('./access/operations/revoke-token')).revokeToken,
  'people.add': async () => (await import('./access/operations/add-person')).addPerson,
  'people.list': async () => (await import('./access/operations/list-people')).listPeople,
  'people.update': async () => (await import('./access/operations/update-person')).updatePerson,
  'people.remove': async () => (await import('./access/operations/remove-person')).removePerson,
  'staff.add': async () => (await import('./access/operations/add-member')).addMember,
  'staff.list': async () => (await import('./access/operations/list-staff')).listStaff,
  'staff.update': async () => (await import('./access/operations/update-member')).updateMember,
  'staff.remove': async () => (await import('./access/operations/remove-member')).removeMember,
  'sessions.create-screen': async () => (await import('./access/operations/create-screen-link')).createScreenLink,
  'sessions.create-link': async () => (await import('./access/operations/create-session-link')).createSessionLink,
  'sessions.list': async () => (await import('./access/operations/list-sessions')).listSessions,
  'sessions.revoke': async () => (await import('./access/operations/revoke-session')).revokeSession,
  'audit.list': async () => (await import('./audit/operations/list-audit')).listAudit,
  'audit.export': async () => (await import('./audit/operations/export-audit')).exportAudit,
  'storage.backup': async () => (await import('./storage/operations/backup-database')).backupDatabase,
  'storage.restore': async () => (await import('./storage/operations/restore-database')).restoreDatabase,
  'storage.migrate': async () => (await import('./storage/operations/migrate-database')).migrateDatabase,
  'system.doctor': async () => (await import('./system/operations/run-doctor')).runDoctor,
} satisfies Record<OperationId, Load>

/** The result of an operation. */
export type ResultOf<Id extends OperationId> = z.output<Awaited<ReturnType<(typeof catalog)[Id]>>['output']>

/** The input and the result of each operation. */
export type Operations = {
  [Id in OperationId]: { input: z.input<Awaited<ReturnType<(typeof catalog)[Id]>>['input']>; output: ResultOf<Id> }
}

export async function loadOperation(id: string): Promise<AnyOperation<StudioContext>> {
  if (!Object.hasOwn(catalog, id)) throw new StudioError('internal', `There is no operation ${id}.`)
  return catalog[id as OperationId]()
}

export function loadAllOperations(): Promise<AnyOperation<StudioContext>[]> {
  return Promise.all(Object.values(catalog).map((load) => load()))
}

/** A call that a hint suggests, as a command line. */
export async function formatCommand({ operation, input }: SuggestedCall): Promise<string> {
  return formatCommandLine(await loadOperation(operation), input)
}
