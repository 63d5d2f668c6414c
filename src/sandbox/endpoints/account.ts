import type { Call, Endpoint } from '../http/call'
import { noSuchProject } from '../http/router'
import { type Answer, jsonAnswer, listAnswer } from '../wire/answer'

/** Who is signed in, and which projects there are. */
export const accountEndpoints: readonly Endpoint[] = [
  { method: 'GET', path: '_apis/connectiondata', run: connectionData },
  { method: 'GET', path: '_apis/projects', run: (call) => listAnswer([projectJson(call)]) },
  { method: 'GET', path: '_apis/projects/:project', run: oneProject },
]

function connectionData({ world }: Call): Answer {
  const { id, displayName, uniqueName } = world.people.signedIn
  const user = {
    id,
    descriptor: `sandbox.identity;${uniqueName}`,
    providerDisplayName: displayName,
    isActive: true,
    properties: { Account: { $type: 'System.String', $value: uniqueName } },
  }
  return jsonAnswer({
    authenticatedUser: user,
    authorizedUser: user,
    instanceId: world.project.id,
    deploymentType: 'hosted',
  })
}

function projectJson({ world, base }: Call): Record<string, unknown> {
  const { id, name, description } = world.project
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

function oneProject(call: Call): Answer {
  const { project } = call.world
  const wanted = call.params.project!
  if (![project.id, project.name].some((one) => one.toLowerCase() === wanted.toLowerCase())) throw noSuchProject(wanted)
  return jsonAnswer(projectJson(call))
}
