/** A command as far as it must be known to offer it: everything else is loaded when it is run. */
export interface ManifestEntry {
  /** The words after `studio`. */
  command: string
  summary: string
  /** Ids of the operations behind it; empty for a command that is not an operation. */
  operations: string[]
}

/** At build the list is worked out once and put here as a literal, so that a start loads no operation but its own. */
declare const STUDIO_MANIFEST: ManifestEntry[] | undefined

export async function loadManifest(): Promise<ManifestEntry[]> {
  if (typeof STUDIO_MANIFEST !== 'undefined') return STUDIO_MANIFEST
  const { deriveManifest } = await import('./derive-manifest')
  return deriveManifest()
}
