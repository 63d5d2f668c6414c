export * from './appointments'
export * from './facilities'
export * from './imported-rows'
export { readSite, type SiteRecord, siteQuery } from './site'
