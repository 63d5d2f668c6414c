/** Inserted at build; counted when run from source. */
declare const STUDIO_SCHEMA_STEPS: number | undefined

/** How many migrations this version knows. */
export async function countMigrations(): Promise<number> {
  if (typeof STUDIO_SCHEMA_STEPS !== 'undefined') return STUDIO_SCHEMA_STEPS
  return (await import('../../src/studio')).migrations.length
}
