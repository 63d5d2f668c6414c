/** For who reads no rows: without the engines. */
export { detectChanges, type LogChange } from './embedded/detect-changes'
