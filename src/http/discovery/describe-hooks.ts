import type { Json } from '../../kernel/input/json-schema'
import { HOOKS_PATH } from '../../tracker/hooks-path'
import { partOf } from './capabilities'
import { documentErrorResponses, headersOf } from './openapi-parts'

export const HOOK_EVENTS_PATH = `${HOOKS_PATH}/{name}`

/** Of Azure DevOps. */
const EXAMPLE = { eventType: 'workitem.updated', resource: { workItemId: 204 } }

/** Where trackers report changes, in OpenAPI. The bodies are those of their products. */
export function describeHookEvents(): Record<string, Json> {
  return {
    post: {
      operationId: 'tracker.report-change',
      summary: 'Report a change of a work item, as the webhook of a tracker',
      description:
        'Takes the events of Azure DevOps, GitHub and Jira as they send them. An event says which items are to be read again; nothing else of it is used. The tracker proves that it knows the secret of `tracker.hooks`: it signs the body (`X-Hub-Signature-256`, or `X-Hub-Signature` of Jira), or sends the secret as a password, as a token or as the parameter `secret`.',
      tags: [partOf(HOOK_EVENTS_PATH).name],
      'x-extension': true,
      security: [{ bearer: [] }, {}],
      parameters: [
        {
          name: 'name',
          in: 'path',
          required: true,
          description: 'Name of the tracker in the settings, or `default`',
          schema: { type: 'string' },
          example: 'default',
        },
        {
          name: 'secret',
          in: 'query',
          required: false,
          description: 'For trackers that can only be given an address',
          schema: { type: 'string' },
        },
      ],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { type: 'object' }, example: EXAMPLE } },
      },
      responses: {
        '202': {
          description: 'The items are going to be read',
          headers: headersOf({ hasVersion: false }),
          content: {
            'application/json': {
              schema: { type: 'object', properties: { accepted: { const: true } }, required: ['accepted'] },
            },
          },
        },
        ...documentErrorResponses,
      },
    },
  }
}
