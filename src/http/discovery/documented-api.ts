import type { JsonSchema } from '../../kernel/input/json-schema'
import { mapValues } from '../../kernel/json'

/** The names that the interface documents specify for a call. */
interface Documented {
  /** Parameters and fields of the body; absent if the document leaves the body open. */
  takes?: readonly string[]
  /** Fields of the answer, or of the entries of an array; dotted below `data`. Absent if the document leaves it open. */
  gives?: readonly string[]
}

/** The names in a text. */
const names = (text: string) => text.trim().split(/\s+/)
/** A field of an object, and the names in a text as fields of that object: `server`, `server.name`. */
const below = (field: string, text: string) => [field, ...names(text).map((name) => `${field}.${name}`)]

const draftFields = names('id title description acceptanceCriteria storyPoints assignedTo areaPath iterationPath tags')
const listedFields = names(
  `id facilityId doorId doorName type startTime endTime carrierName referenceNumber status palletCount weight
   loadDescription`,
)
const movedFields = `id doorId doorName type startTime endTime carrierName referenceNumber status palletCount
   durationMinutes`
const bookedFields = `${movedFields} facilityId facilityName facilityCode equipmentId trailerId`
const success = (fields: string) => ['status', 'message', ...below('data', fields)]

/**
 * The documented interface, call by call. It changes with the documents, never with the code: everything else that the service offers is
 * marked as an extension.
 */
export const documentedApi: Readonly<Record<string, Documented>> = {
  'GET /api/agent': {
    gives: [
      ...names('status agent_friendly declaration friendly_greeting quickstart'),
      ...below('server', 'name version description organization project default_user llm_host llm_model'),
      ...below('capabilities', 'id name description'),
      ...below('capabilities.endpoints', 'method path description'),
      ...below('links', 'llms_txt llms_full_txt openapi_json openapi_yaml docs agent_json prompt_context'),
      ...below('antigravity_guide', 'instruction direct_api_ready auth_type header_example docs'),
    ],
  },
  'GET /api/agent/prompt-context': {},
  'GET /llms.txt': {},
  'GET /llms-full.txt': {},
  'GET /openapi.json': {},
  'GET /openapi.yaml': {},
  'GET /docs': {},
  'GET /.well-known/agent.json': {},
  'GET /api/health': { takes: [], gives: ['status', 'timestamp'] },

  'GET /api/search/fast': { takes: ['q', 'limit', 'type'], gives: ['query', 'total', 'results'] },
  'GET /api/search/stats': { takes: [] },
  'POST /api/search/reindex': {},

  'GET /api/devops/items/{id}': { takes: ['id'] },
  'GET /api/devops/items/{id}/freshness': { takes: ['id'], gives: ['id', 'localRev', 'remoteRev', 'isFresh'] },
  'POST /api/devops/search': { takes: ['query', 'itemType', 'limit'] },
  'GET /api/devops/metadata': { takes: [] },

  'GET /api/stories/saved': { takes: ['folderId', 'search', 'sort'], gives: draftFields },
  'GET /api/stories/{id}': { takes: ['id'], gives: draftFields },
  'DELETE /api/stories/{id}': { takes: ['id'] },
  'POST /api/stories/copy-sanitize': { takes: ['id', 'folderId', 'titleSuffix'], gives: draftFields },
  'POST /api/stories/save-draft': { takes: draftFields, gives: draftFields },
  'POST /api/stories/move': { gives: draftFields },

  'GET /api/helper/items': { takes: ['state', 'assignedTo', 'search'] },
  'GET /api/helper/filters': { takes: [] },
  'GET /api/helper/working-filter': { takes: [] },
  'POST /api/helper/batch-update': { takes: ['itemIds', 'updates', 'fields'] },
  'POST /api/helper/sync': {},

  'GET /api/reporting/features-hierarchy': { takes: [] },
  'GET /api/reporting/leadership-summary': { takes: [] },
  'POST /api/reporting/generate-briefing': {},
  'POST /api/tracker/features/import': { takes: ['featureId'] },
  'POST /api/tracker/workitems/import-single': {},
  'GET /api/planner/priorities-config': { takes: [] },
  'POST /api/planner/priorities-config': {},

  'GET /api/llm/models': { takes: [] },
  'POST /api/llm/chat': { takes: ['prompt', 'model', 'systemPrompt'] },
  'POST /api/chat/stream': {},
  'GET /api/prompts': { takes: [] },

  'POST /api/appointments/auto-schedule': {
    takes: names(
      `facilityId facilityCode type carrierName referenceNumber targetDate palletCount durationMinutes weight
       loadDescription equipmentId trailerId`,
    ),
    gives: success(bookedFields),
  },
  'GET /api/appointments': {
    takes: names('facility_id facility_code reference_number start_date end_date status'),
    gives: listedFields,
  },
  'PUT /api/appointments/{id}/reschedule': {
    takes: ['id', 'targetDate', 'durationMinutes'],
    gives: success(movedFields),
  },
  'DELETE /api/appointments/{id}': { takes: ['id'], gives: ['status', 'message'] },
}

export function documentedAt(method: string, path: string): Documented | null {
  return documentedApi[`${method.toUpperCase()} ${path}`] ?? null
}

/** True for a parameter or a field of the body that the documents do not name, if they name the others. */
export function isAddedInput(documented: Documented | null, name: string): boolean {
  return documented?.takes !== undefined && !documented.takes.includes(name)
}

/** Marks the fields of an answer that the documents do not name. */
export function markAddedFields(schema: JsonSchema, documented: Documented | null): JsonSchema {
  return documented?.gives ? marked(schema, documented.gives, '') : schema
}

function marked(schema: JsonSchema, gives: readonly string[], prefix: string): JsonSchema {
  if (schema.items) return { ...schema, items: marked(schema.items, gives, prefix) }
  const isShown = gives.some((name) => name.startsWith(prefix))
  if (!schema.properties || !isShown) return schema
  const properties = mapValues(schema.properties, (property, name) => {
    const path = `${prefix}${name}`
    return gives.includes(path) ? marked(property, gives, `${path}.`) : { ...property, 'x-extension': true }
  })
  return { ...schema, properties }
}
