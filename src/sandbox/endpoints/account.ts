import type { Endpoint, EndpointCall } from '../http/endpoint'
import { createProjectNotFoundError } from '../http/router'
import { createJsonResponse, createListResponse, type WireResponse } from '../wire/response'

/** Who is signed in, and which projects there are. */
export const accountEndpoints: readonly Endpoint[] = [
  { method: 'GET', path: '_apis/connectiondata', run: getConnectionData },
  { method: 'GET', path: '_apis/projects', run: (call) => createListResponse([toProjectJson(call)]) },
  { method: 'GET', path: '_apis/projects/:project', run: getProject },
]

function getConnectionData({ model }: EndpointCall): WireResponse {
  const { id, displayName, uniqueName } = model.people.signedIn
  const user = {
    id,
    descriptor: `sandbox.identity;${uniqueName}`,
    providerDisplayName: displayName,
    isActive: true,
    properties: { Account: { $type: 'System.String', $value: uniqueName } },
  }
  return createJsonResponse({
    authenticatedUser: user,
    authorizedUser: user,
    instanceId: model.project.id,
    deploymentType: 'hosted',
  })
}

function toProjectJson({ model, base }: EndpointCall): Record<string, unknown> {
  const { id, name, description } = model.project
  return {
    id,
    name,
    description,
    url: `${base}/_apis/projects/${id}`,
    state: 'wellFormed',
    revision: 1,
    visibility: 'private',
  }
}

function getProject(call: EndpointCall): WireResponse {
  const { project } = call.model
  const wanted = call.params.project!
  if (![project.id, project.name].some((one) => one.toLowerCase() === wanted.toLowerCase()))
    throw createProjectNotFoundError(wanted)
  return createJsonResponse(toProjectJson(call))
}
