import { equalsIgnoringCase } from '../../kernel/text/text'
import { checkProject } from '../http/access-checks'
import type { EndpointCall } from '../http/endpoint'
import { WireError } from '../wire/response'

/** The signed-in user, with whom stock clients begin. */
export function getConnectionData({ model }: EndpointCall) {
  const { id, displayName, uniqueName } = model.people.signedIn
  const user = {
    id,
    descriptor: `sandbox.identity;${uniqueName}`,
    providerDisplayName: displayName,
    isActive: true,
    properties: { Account: { $type: 'System.String', $value: uniqueName } },
  }
  return {
    authenticatedUser: user,
    authorizedUser: user,
    instanceId: model.project.id,
    deploymentType: 'hosted',
  }
}

export function listProjects(call: EndpointCall) {
  return [toProjectJson(call)]
}

export function getProject(call: EndpointCall) {
  checkProject(call.params.project!, call.model)
  return toProjectJson(call)
}

/** By name or ID. */
export function getRepository({ model, base, params }: EndpointCall) {
  const name = params.repository!
  const found = model.repositories.find((one) => equalsIgnoringCase(one.name, name) || equalsIgnoringCase(one.id, name))
  if (!found) {
    throw new WireError(
      404,
      'GitRepositoryNotFoundException',
      `TF401019: The Git repository with name or identifier ${name} does not exist or you do not have permissions for the operation you are attempting.`,
    )
  }
  const { id, name: projectName } = model.project
  return {
    ...found,
    url: `${base}/${id}/_apis/git/repositories/${found.id}`,
    project: { id, name: projectName, state: 'wellFormed' },
    defaultBranch: 'refs/heads/main',
    webUrl: `${base}/${encodeURIComponent(projectName)}/_git/${encodeURIComponent(found.name)}`,
  }
}

function toProjectJson({ model, base }: EndpointCall) {
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

/** The routes of the API, or of one area of it. Stock clients look them up by ID before their first call. */
export function listLocations({ params }: EndpointCall) {
  return LOCATIONS.filter(([, area]) => params.area === undefined || equalsIgnoringCase(area, params.area)).map(
    ([id, area, resourceName, routeTemplate]) => ({
      id,
      area,
      resourceName,
      routeTemplate,
      resourceVersion: 3,
      minVersion: '1.0',
      maxVersion: '7.2',
      releasedVersion: '7.1',
    }),
  )
}

const wit = '{project}/_apis/{area}'
const inTeam = '{project}/{team}/_apis/{area}'
const ofItem = `${wit}/workItems/{id}/{resource}`
const ofComment = `${wit}/workItems/{workItemId}/{resource}/{commentId}`

/** The IDs are the same on every server. A client drops a value that a route has no place for, and calls the shorter path. */
const LOCATIONS: readonly [id: string, area: string, resource: string, route: string][] = [
  ['72c7ddf8-2cdc-4f60-90cd-ab71c14a399b', 'wit', 'workItems', `${wit}/{resource}/{id}`],
  ['62d3d110-0047-428c-ad3c-4fe872c91c74', 'wit', 'workItems', `${wit}/{resource}/\${type}`],
  ['908509b6-4248-4475-a1cd-829139ba419f', 'wit', 'workItemsBatch', `${wit}/{resource}`],
  ['6570bf97-d02c-4a91-8d93-3abe9895b1a9', 'wit', 'updates', `${ofItem}/{updateNumber}`],
  ['608aac0a-32e1-4493-a863-b9cf4566d257', 'wit', 'comments', ofComment],
  ['e07b5fa4-1499-494d-a496-64b860fd64ff', 'wit', 'attachments', `${wit}/{resource}/{id}`],
  ['a67d190c-c41f-424b-814d-0e906f659301', 'wit', 'queries', `${wit}/{resource}/{*query}`],
  ['b70d8d39-926c-465e-b927-b1bf0e5ca0e0', 'wit', 'recyclebin', `${wit}/{resource}/{id}`],
  ['225f7195-f9c7-4d14-ab28-a83f7ff77e1f', 'git', 'repositories', '{project}/_apis/{area}/{resource}/{repositoryId}'],
  ['1a9c53f7-f243-4447-b110-35ef023636e4', 'wit', 'wiql', `${inTeam}/{resource}/{id}`],
  ['a02355f5-5f8a-4671-8e32-369d23aac83d', 'wit', 'wiql', `${inTeam}/{resource}/{id}`],
  ['5a172953-1b41-49d3-840a-33f79c3ce89f', 'wit', 'classificationNodes', `${wit}/{resource}/{structureGroup}/{*path}`],
  ['a70579d1-f53a-48ee-a5be-7be8659023b9', 'wit', 'classificationNodes', `${wit}/{resource}`],
  ['7c8d7a76-4a09-43e8-b5df-bd792f4ac6aa', 'wit', 'workItemTypes', `${wit}/{resource}/{type}`],
  ['7c9d7a76-4a09-43e8-b5df-bd792f4ac6aa', 'wit', 'states', `${wit}/workItemTypes/{type}/{resource}`],
  ['9b9f5734-36c8-415e-ba67-f83b45c31408', 'wit', 'workItemTypeCategories', `${wit}/{resource}/{category}`],
  ['b51fd764-e5c2-4b9b-aaf7-3395cf4bdd94', 'wit', 'fields', `${wit}/{resource}/{fieldNameOrRefName}`],
  ['f828fe59-dd87-495d-a17c-7a8d6211ca6c', 'wit', 'workItemRevisions', `${wit}/reporting/{resource}`],
  ['b5b5b6d0-0308-40a1-b3f4-b9bb3c66878f', 'wit', 'workItemLinks', `${wit}/reporting/{resource}`],
  ['7799f497-3cb5-4f16-ad4f-5cd06012db64', 'work', 'backlogConfiguration', `${inTeam}/{resource}`],
  ['603fe2ac-9723-48b9-88ad-09305aa6c6e1', 'core', 'projects', '_apis/{resource}/{*projectId}'],
  ['e81700f7-3be2-46de-8624-2eb35882fcaa', 'Location', 'resourceAreas', '_apis/{resource}/{areaId}'],
  ['00d9565f-ed9c-4a06-9a50-00e7896ccab4', 'Location', 'connectionData', '_apis/{resource}'],
]
