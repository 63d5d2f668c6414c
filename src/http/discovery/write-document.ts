import type { Settings } from '../../config'
import { openApiDocument } from '../openapi'
import { discoveryDocuments } from './documents'
import { factsOf, type ServiceFacts } from './service-facts'

/** Writes a document from the operations. */
export async function writeDocument(
  path: string,
  settings: Settings,
  service: Pick<ServiceFacts, 'baseUrl' | 'isOpen' | 'version' | 'operations'>,
): Promise<string> {
  const { write } = discoveryDocuments.find((document) => document.path === path)!
  const openApi = () => openApiDocument(service.operations, service.version)
  return write(factsOf(settings, { ...service, openApi }))
}
