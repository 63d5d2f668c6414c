import { readFileSync } from 'node:fs'

/** Inserted at build; read from package.json when run from source. */
declare const STUDIO_VERSION: string | undefined

export const version: string =
  typeof STUDIO_VERSION === 'undefined'
    ? (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }).version
    : STUDIO_VERSION
