import type { Call, Endpoint } from '../http/call'
import { type Answer, jsonAnswer, listAnswer } from '../wire/answer'

/** Where the parts of the interface are: stock clients look it up by number before their first call. */
export const locationEndpoints: readonly Endpoint[] = [
  { method: 'OPTIONS', path: '_apis', run: () => listAnswer(locations.map(locationJson)) },
  { method: 'OPTIONS', path: '_apis/:area', run: ofArea },
  // Nothing stands on a host of its own; a server says so in just this way.
  { method: 'GET', path: '_apis/resourceareas', run: () => jsonAnswer({ count: 0, value: null }) },
]

function ofArea({ params }: Call): Answer {
  const area = params.area!.toLowerCase()
  return listAnswer(locations.filter((location) => location.area.toLowerCase() === area).map(locationJson))
}

interface Location {
  /** The same on every server. */
  id: string
  area: string
  resource: string
  route: string
}

const project = '{project}/_apis/{area}'
const ofTypes = `${project}/workItemTypes/{type}`

const locations: readonly Location[] = [
  wit('72c7ddf8-2cdc-4f60-90cd-ab71c14a399b', 'workItems', `${project}/{resource}/{id}`),
  wit('62d3d110-0047-428c-ad3c-4fe872c91c74', 'workItems', `${project}/{resource}/\${type}`),
  wit('908509b6-4248-4475-a1cd-829139ba419f', 'workItemsBatch', `${project}/{resource}`),
  wit('a00c85a5-80fa-4565-99c3-bcd2181434bb', 'revisions', `${project}/workItems/{id}/{resource}/{revisionNumber}`),
  wit('6570bf97-d02c-4a91-8d93-3abe9895b1a9', 'updates', `${project}/workItems/{id}/{resource}/{updateNumber}`),
  wit('608aac0a-32e1-4493-a863-b9cf4566d257', 'comments', `${project}/workItems/{workItemId}/{resource}/{commentId}`),
  wit('1a9c53f7-f243-4447-b110-35ef023636e4', 'wiql', '{project}/{team}/_apis/{area}/{resource}/{id}'),
  wit('5a172953-1b41-49d3-840a-33f79c3ce89f', 'classificationNodes', `${project}/{resource}/{structureGroup}/{*path}`),
  wit('a70579d1-f53a-48ee-a5be-7be8659023b9', 'classificationNodes', `${project}/{resource}`),
  wit('7c8d7a76-4a09-43e8-b5df-bd792f4ac6aa', 'workItemTypes', `${project}/{resource}/{type}`),
  wit('7c9d7a76-4a09-43e8-b5df-bd792f4ac6aa', 'states', `${ofTypes}/{resource}`),
  wit('bd293ce5-3d25-4192-8e67-e8092e879efb', 'fields', `${ofTypes}/{resource}/{field}`),
  wit('9b9f5734-36c8-415e-ba67-f83b45c31408', 'workItemTypeCategories', `${project}/{resource}/{category}`),
  wit('b51fd764-e5c2-4b9b-aaf7-3395cf4bdd94', 'fields', `${project}/{resource}/{fieldNameOrRefName}`),
  wit('f828fe59-dd87-495d-a17c-7a8d6211ca6c', 'workItemRevisions', `${project}/reporting/{resource}`),
  wit('b5b5b6d0-0308-40a1-b3f4-b9bb3c66878f', 'workItemLinks', `${project}/reporting/{resource}`),
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

function wit(id: string, resource: string, route: string): Location {
  return { id, area: 'wit', resource, route }
}

function locationJson({ id, area, resource, route }: Location): Record<string, unknown> {
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
