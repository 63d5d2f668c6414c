/** For who reads one thing and ends: the embedded engine without query builder and migrations. */
export { type RunOnce, readOnce } from './embedded/read-once'
