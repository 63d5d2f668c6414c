import type { ManifestEntry } from './invocation'

/** Derived at build and inserted here as JSON, so that a command loads only its own operation. */
declare const STUDIO_MANIFEST: string | undefined

export async function loadManifest(): Promise<ManifestEntry[]> {
  return typeof STUDIO_MANIFEST === 'undefined'
    ? (await import('./derive-manifest')).deriveManifest()
    : JSON.parse(STUDIO_MANIFEST)
}
