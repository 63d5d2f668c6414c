export * from './appointments'
export {
  type BookingSiteRecord as SiteRecord,
  loadSiteRecord as readSite,
  siteRecordQuery as siteQuery,
} from './booking-site'
export * from './facilities'
export * from './imported-rows'
