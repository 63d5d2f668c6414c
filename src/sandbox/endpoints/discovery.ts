import type { Endpoint, EndpointCall } from '../http/endpoint'
import { createProjectNotFoundError } from '../http/router'
import { createJsonResponse, createListResponse, type WireResponse } from '../wire/response'

/** The signed-in user, with whom stock clients begin, and the one project. */
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

function getProject(call: EndpointCall): WireResponse {
  const { id, name } = call.model.project
  const wanted = call.params.project!
  if (![id, name].some((known) => known.toLowerCase() === wanted.toLowerCase()))
    throw createProjectNotFoundError(wanted)
  return createJsonResponse(toProjectJson(call))
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

/** The routes of the API. Stock clients look them up by ID before their first call. */
export const locationEndpoints: readonly Endpoint[] = [
  { method: 'OPTIONS', path: '_apis', run: () => createListResponse(Object.entries(LOCATIONS).map(toLocationJson)) },
  { method: 'OPTIONS', path: '_apis/:area', run: listAreaLocations },
  // A server without areas on other hosts gives this answer.
  { method: 'GET', path: '_apis/resourceareas', run: () => createJsonResponse({ count: 0, value: null }) },
]

function listAreaLocations({ params }: EndpointCall): WireResponse {
  const area = params.area!.toLowerCase()
  return createListResponse(
    Object.entries(LOCATIONS)
      .filter(([, location]) => location.area.toLowerCase() === area)
      .map(toLocationJson),
  )
}

interface Location {
  area: string
  resource: string
  route: string
}

const inProject = '{project}/_apis/{area}'
const inTeam = '{project}/{team}/_apis/{area}'
const ofItem = `${inProject}/workItems/{id}/{resource}`

/** The IDs are the same on every server. A client drops a value that a route has no place for, and calls the shorter path. */
const LOCATIONS: Readonly<Record<string, Location>> = {
  '72c7ddf8-2cdc-4f60-90cd-ab71c14a399b': wit('workItems', `${inProject}/{resource}/{id}`),
  '62d3d110-0047-428c-ad3c-4fe872c91c74': wit('workItems', `${inProject}/{resource}/\${type}`),
  '908509b6-4248-4475-a1cd-829139ba419f': wit('workItemsBatch', `${inProject}/{resource}`),
  '6570bf97-d02c-4a91-8d93-3abe9895b1a9': wit('updates', `${ofItem}/{updateNumber}`),
  '608aac0a-32e1-4493-a863-b9cf4566d257': wit('comments', `${inProject}/workItems/{workItemId}/{resource}/{commentId}`),
  '1a9c53f7-f243-4447-b110-35ef023636e4': wit('wiql', `${inTeam}/{resource}/{id}`),
  '5a172953-1b41-49d3-840a-33f79c3ce89f': wit(
    'classificationNodes',
    `${inProject}/{resource}/{structureGroup}/{*path}`,
  ),
  'a70579d1-f53a-48ee-a5be-7be8659023b9': wit('classificationNodes', `${inProject}/{resource}`),
  '7c8d7a76-4a09-43e8-b5df-bd792f4ac6aa': wit('workItemTypes', `${inProject}/{resource}/{type}`),
  '7c9d7a76-4a09-43e8-b5df-bd792f4ac6aa': wit('states', `${inProject}/workItemTypes/{type}/{resource}`),
  '9b9f5734-36c8-415e-ba67-f83b45c31408': wit('workItemTypeCategories', `${inProject}/{resource}/{category}`),
  'b51fd764-e5c2-4b9b-aaf7-3395cf4bdd94': wit('fields', `${inProject}/{resource}/{fieldNameOrRefName}`),
  'f828fe59-dd87-495d-a17c-7a8d6211ca6c': wit('workItemRevisions', `${inProject}/reporting/{resource}`),
  'b5b5b6d0-0308-40a1-b3f4-b9bb3c66878f': wit('workItemLinks', `${inProject}/reporting/{resource}`),
  '7799f497-3cb5-4f16-ad4f-5cd06012db64': {
    area: 'work',
    resource: 'backlogConfiguration',
    route: `${inTeam}/{resource}`,
  },
  '603fe2ac-9723-48b9-88ad-09305aa6c6e1': {
    area: 'core',
    resource: 'projects',
    route: '_apis/{resource}/{*projectId}',
  },
  'e81700f7-3be2-46de-8624-2eb35882fcaa': {
    area: 'Location',
    resource: 'resourceAreas',
    route: '_apis/{resource}/{areaId}',
  },
  '00d9565f-ed9c-4a06-9a50-00e7896ccab4': { area: 'Location', resource: 'connectionData', route: '_apis/{resource}' },
}

function wit(resource: string, route: string): Location {
  return { area: 'wit', resource, route }
}

function toLocationJson([id, { area, resource, route }]: [string, Location]): Record<string, unknown> {
  return {
    id,
    area,
    resourceName: resource,
    routeTemplate: route,
    resourceVersion: 3,
    minVersion: '1.0',
    maxVersion: '7.2',
    releasedVersion: '7.1',
  }
}
