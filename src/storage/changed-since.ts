/** For who reads no rows: without the engines. */
export { type ChangedSince, changedSince } from './embedded/changed-since'
