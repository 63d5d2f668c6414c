import type { Endpoint, EndpointCall } from '../http/endpoint'
import { type BacklogLevel, portfolioLevels, requirementLevel, taskLevel, typeFields } from '../process/backlog-levels'
import { ITEM_TYPES } from '../process/item-types'
import { createJsonResponse, type WireResponse } from '../wire/response'
import { buildTypeUrl } from '../wire/urls'

/** How the project plans: levels of its backlog, and which field the boards count. */
export const backlogConfigurationEndpoints: readonly Endpoint[] = [
  { method: 'GET', path: '_apis/work/backlogconfiguration', run: getBacklogConfiguration },
]

function getBacklogConfiguration(call: EndpointCall): WireResponse {
  return createJsonResponse({
    taskBacklog: toLevelJson(taskLevel, call),
    requirementBacklog: toLevelJson(requirementLevel, call),
    portfolioBacklogs: portfolioLevels.map((level) => toLevelJson(level, call)),
    workItemTypeMappedStates: ITEM_TYPES.map((type) => ({
      workItemTypeName: type.name,
      states: Object.fromEntries(type.states.map(({ name, category }) => [name, category])),
    })),
    backlogFields: { typeFields },
    bugsBehavior: 'asRequirements',
    hiddenBacklogs: ['Microsoft.EpicCategory'],
    isBugsBehaviorConfigured: true,
    url: `${call.base}/${call.model.project.id}/_apis/work/backlogconfiguration`,
  })
}

function toLevelJson(level: BacklogLevel, { base, model }: EndpointCall): Record<string, unknown> {
  const reference = (name: string) => ({ name, url: buildTypeUrl(base, model.project.id, name) })
  return {
    id: level.id,
    name: level.name,
    rank: level.rank,
    workItemCountLimit: 1000,
    workItemTypes: level.types.map(reference),
    defaultWorkItemType: reference(level.defaultType),
    color: level.color,
    isHidden: level.id === 'Microsoft.EpicCategory',
  }
}
