/** Inserted at build; counted when run from source. */
declare const STUDIO_SCHEMA_STEPS: number | undefined

/** How many migrations this version knows. */
export async function countMigrations(): Promise<number> {
  return typeof STUDIO_SCHEMA_STEPS === 'undefined'
    ? (await import('../../src/studio')).migrations.length
    : STUDIO_SCHEMA_STEPS
}
