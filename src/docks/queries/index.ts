export * from './appointment-changes'
export * from './appointments'
export * from './archive'
export {
  type BookingSiteRecord,
  loadSiteRecord,
  siteRecordQuery,
} from './booking-site'
export * from './dock-report'
export * from './facilities'
export * from './imported-rows'
export * from './series'
export * from './slot-holds'
export * from './unarchive'
export * from './waitlist'
export * from './webhooks'
