import type { Endpoint, EndpointCall } from '../http/endpoint'
import { createJsonResponse, createListResponse, type WireResponse } from '../wire/response'

/** Where the parts of the interface are: stock clients look it up by number before their first call. */
export const locationEndpoints: readonly Endpoint[] = [
  { method: 'OPTIONS', path: '_apis', run: () => createListResponse(LOCATIONS.map(toLocationJson)) },
  { method: 'OPTIONS', path: '_apis/:area', run: listAreaLocations },
  // Nothing stands on a host of its own; a server says so in just this way.
  { method: 'GET', path: '_apis/resourceareas', run: () => createJsonResponse({ count: 0, value: null }) },
]

function listAreaLocations({ params }: EndpointCall): WireResponse {
  const area = params.area!.toLowerCase()
  return createListResponse(LOCATIONS.filter((location) => location.area.toLowerCase() === area).map(toLocationJson))
}

interface Location {
  /** The same on every server. */
  id: string
  area: string
  resource: string
  route: string
}

const projectRoute = '{project}/_apis/{area}'
const typeRoute = `${projectRoute}/workItemTypes/{type}`

const LOCATIONS: readonly Location[] = [
  createWitLocation('72c7ddf8-2cdc-4f60-90cd-ab71c14a399b', 'workItems', `${projectRoute}/{resource}/{id}`),
  createWitLocation('62d3d110-0047-428c-ad3c-4fe872c91c74', 'workItems', `${projectRoute}/{resource}/\${type}`),
  createWitLocation('908509b6-4248-4475-a1cd-829139ba419f', 'workItemsBatch', `${projectRoute}/{resource}`),
  createWitLocation(
    'a00c85a5-80fa-4565-99c3-bcd2181434bb',
    'revisions',
    `${projectRoute}/workItems/{id}/{resource}/{revisionNumber}`,
  ),
  createWitLocation(
    '6570bf97-d02c-4a91-8d93-3abe9895b1a9',
    'updates',
    `${projectRoute}/workItems/{id}/{resource}/{updateNumber}`,
  ),
  createWitLocation(
    '608aac0a-32e1-4493-a863-b9cf4566d257',
    'comments',
    `${projectRoute}/workItems/{workItemId}/{resource}/{commentId}`,
  ),
  createWitLocation('1a9c53f7-f243-4447-b110-35ef023636e4', 'wiql', '{project}/{team}/_apis/{area}/{resource}/{id}'),
  createWitLocation(
    '5a172953-1b41-49d3-840a-33f79c3ce89f',
    'classificationNodes',
    `${projectRoute}/{resource}/{structureGroup}/{*path}`,
  ),
  createWitLocation('a70579d1-f53a-48ee-a5be-7be8659023b9', 'classificationNodes', `${projectRoute}/{resource}`),
  createWitLocation('7c8d7a76-4a09-43e8-b5df-bd792f4ac6aa', 'workItemTypes', `${projectRoute}/{resource}/{type}`),
  createWitLocation('7c9d7a76-4a09-43e8-b5df-bd792f4ac6aa', 'states', `${typeRoute}/{resource}`),
  createWitLocation('bd293ce5-3d25-4192-8e67-e8092e879efb', 'fields', `${typeRoute}/{resource}/{field}`),
  createWitLocation(
    '9b9f5734-36c8-415e-ba67-f83b45c31408',
    'workItemTypeCategories',
    `${projectRoute}/{resource}/{category}`,
  ),
  createWitLocation(
    'b51fd764-e5c2-4b9b-aaf7-3395cf4bdd94',
    'fields',
    `${projectRoute}/{resource}/{fieldNameOrRefName}`,
  ),
  createWitLocation(
    'f828fe59-dd87-495d-a17c-7a8d6211ca6c',
    'workItemRevisions',
    `${projectRoute}/reporting/{resource}`,
  ),
  createWitLocation('b5b5b6d0-0308-40a1-b3f4-b9bb3c66878f', 'workItemLinks', `${projectRoute}/reporting/{resource}`),
  {
    id: '7799f497-3cb5-4f16-ad4f-5cd06012db64',
    area: 'work',
    resource: 'backlogConfiguration',
    route: '{project}/{team}/_apis/{area}/{resource}',
  },
  {
    id: '603fe2ac-9723-48b9-88ad-09305aa6c6e1',
    area: 'core',
    resource: 'projects',
    route: '_apis/{resource}/{*projectId}',
  },
  {
    id: 'e81700f7-3be2-46de-8624-2eb35882fcaa',
    area: 'Location',
    resource: 'resourceAreas',
    route: '_apis/{resource}/{areaId}',
  },
  {
    id: '00d9565f-ed9c-4a06-9a50-00e7896ccab4',
    area: 'Location',
    resource: 'connectionData',
    route: '_apis/{resource}',
  },
]

function createWitLocation(id: string, resource: string, route: string): Location {
  return { id, area: 'wit', resource, route }
}

function toLocationJson({ id, area, resource, route }: Location): Record<string, unknown> {
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
