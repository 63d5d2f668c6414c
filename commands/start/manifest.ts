import type { ManifestEntry } from './invocation'

/** Derived at build and inserted here as a literal, so that a command loads only its own operation. */
declare const STUDIO_MANIFEST: ManifestEntry[] | undefined

export async function loadManifest(): Promise<ManifestEntry[]> {
  if (typeof STUDIO_MANIFEST !== 'undefined') return STUDIO_MANIFEST
  const { deriveManifest } = await import('./derive-manifest')
  return deriveManifest()
}
