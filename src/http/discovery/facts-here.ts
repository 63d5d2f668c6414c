import { loadAllOperations } from '../../catalog'
import type { Settings } from '../../config'
import { openApiDocument } from '../openapi'
import { factsOf, type ServiceFacts } from './service-facts'

/** The facts of `studio serve` with these settings, without running it. */
export async function factsHere(settings: Settings, version: string): Promise<ServiceFacts> {
  const operations = (await loadAllOperations()).filter((op) => op.http)
  const { host, port } = settings.serve
  return factsOf(settings, {
    baseUrl: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    version,
    operations,
    openApi: () => openApiDocument(operations, version),
    isOpen: settings.auth.local,
  })
}
