export * from './appointments'
export * from './facilities'
export { readSite, type SiteRecord, siteQuery } from './site'
