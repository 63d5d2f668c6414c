/** For who reads no rows: without the engines. */
export { detectChanges as changedSince, type LogChange as ChangedSince } from './embedded/detect-changes'
