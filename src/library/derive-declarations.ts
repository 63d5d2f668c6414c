import { loadAllOperations } from '../catalog'
import { libraryDeclarations } from './declarations'

/** The text of `index.d.ts`, out of the catalog. */
export async function deriveDeclarations(): Promise<string> {
  return libraryDeclarations(await loadAllOperations())
}
