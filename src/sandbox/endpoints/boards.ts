import type { Call, Endpoint } from '../http/call'
import { type BacklogLevel, portfolioLevels, requirementLevel, taskLevel, typeFields } from '../process/levels'
import { itemTypes } from '../process/types'
import { typeUrl } from '../wire/addresses'
import { type Answer, jsonAnswer } from '../wire/answer'

/** How the project plans: levels of its backlog, and which field the boards count. */
export const boardEndpoints: readonly Endpoint[] = [
  { method: 'GET', path: '_apis/work/backlogconfiguration', run: backlogConfiguration },
]

function backlogConfiguration(call: Call): Answer {
  return jsonAnswer({
    taskBacklog: levelJson(taskLevel, call),
    requirementBacklog: levelJson(requirementLevel, call),
    portfolioBacklogs: portfolioLevels.map((level) => levelJson(level, call)),
    workItemTypeMappedStates: itemTypes.map((type) => ({
      workItemTypeName: type.name,
      states: Object.fromEntries(type.states.map(({ name, category }) => [name, category])),
    })),
    backlogFields: { typeFields },
    bugsBehavior: 'asRequirements',
    hiddenBacklogs: ['Microsoft.EpicCategory'],
    isBugsBehaviorConfigured: true,
    url: `${call.base}/${call.world.project.id}/_apis/work/backlogconfiguration`,
  })
}

function levelJson(level: BacklogLevel, { base, world }: Call): Record<string, unknown> {
  const reference = (name: string) => ({ name, url: typeUrl(base, world.project.id, name) })
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
