import type { AnyOperation } from '../kernel'
import type { Json } from '../kernel/input/json-schema'
import { liftRepeats, type Root } from '../kernel/input/lift-repeats'
import { capabilitiesOf } from './discovery/capabilities'
import { describeHookEvents, HOOK_EVENTS_PATH } from './discovery/describe-hooks'
import { describeOperation } from './discovery/describe-operation'
import { describeDocument, discoveryDocuments } from './discovery/documents'
import { SERVICE_DESCRIPTION, SERVICE_NAME } from './discovery/handshake'
import {
  errorResponseComponents,
  errorSchemas,
  headerComponents,
  parameterComponents,
  securitySchemes,
} from './discovery/openapi-parts'

/** The description of the API in OpenAPI 3.1.0, from the catalog. What the documents do not name is marked `x-extension: true`. */
export function openApiDocument(operations: readonly AnyOperation[], version: string): Json {
  const roots: Root[] = []
  const paths: Record<string, Json> = {}
  for (const op of operations) {
    if (!op.http) continue
    const { path, method } = op.http
    paths[path] = { ...paths[path], [method]: describeOperation(op, roots) }
  }
  for (const document of discoveryDocuments) {
    for (const [method, described] of Object.entries(describeDocument(document, roots)))
      paths[document.path] = { ...paths[document.path], [method]: described }
  }
  paths[HOOK_EVENTS_PATH] = describeHookEvents()
  const shared = liftRepeats(roots)
  return {
    openapi: '3.1.0',
    info: {
      title: SERVICE_NAME,
      version,
      summary: 'A workspace for tracker work items, and a scheduler for loading docks',
      description: SERVICE_DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'This server' }],
    security: [{ bearer: [] }],
    tags: capabilitiesOf(operations).map(({ name, description }) => ({ name, description })),
    paths,
    components: {
      schemas: { ...errorSchemas, ...shared },
      parameters: parameterComponents,
      headers: headerComponents,
      responses: errorResponseComponents,
      securitySchemes,
    },
  }
}
