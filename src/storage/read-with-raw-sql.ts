/** For who reads one thing and ends: the embedded engine without query builder and migrations. */
export { type RunSql as RunOnce, readWithRawSql as readOnce } from './embedded/read-with-raw-sql'
