/** For who reads one thing and ends: the embedded engine without query builder and migrations. */
export { type RunSql, readWithRawSql } from './embedded/read-with-raw-sql'
