export * from '../archive/queries/archive'
export * from '../archive/queries/unarchive'
export * from '../attachments/queries/attachments'
export * from '../booking/queries/appointment-changes'
export * from '../booking/queries/appointment-references'
export * from '../booking/queries/appointments'
export {
  type BookingSiteRecord,
  loadSiteRecord,
  siteRecordQuery,
} from '../booking/queries/booking-site'
export * from '../booking/queries/imported-rows'
export * from '../booking/queries/slot-holds'
export * from '../checks/queries/booking-checks'
export * from '../events/queries/mail-templates'
export * from '../events/queries/webhooks'
export * from '../facilities/queries/facilities'
export * from '../gate/queries/gate-links'
export * from '../gate/queries/gate-visits'
export * from '../reminders/queries/reminders'
export * from '../reports/queries/dock-report'
export * from '../series/queries/series'
export * from '../waitlist/queries/waitlist'
