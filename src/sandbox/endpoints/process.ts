import type { Endpoint, EndpointCall } from '../http/endpoint'
import { ALL_FIELDS, type FieldDefinition, findField, getField } from '../process/fields'
import {
  type BacklogLevel,
  findType,
  ITEM_TYPES,
  type ItemType,
  listFieldsOfType,
  portfolioLevels,
  requirementLevel,
  type TypeCategory,
  taskLevel,
  typeCategories,
  typeFields,
} from '../process/item-types'
import { createJsonResponse, createListResponse, WireError, type WireResponse } from '../wire/response'
import { buildFieldUrl, buildTypeUrl } from '../wire/urls'

/** The process of the project: types with their states and fields, and categories. */
export const typeEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '_apis/wit/workitemtypes',
    run: (call) => createListResponse(ITEM_TYPES.map((type) => toTypeJson(type, call))),
  },
  {
    method: 'GET',
    path: '_apis/wit/workitemtypes/:type',
    run: (call) => createJsonResponse(toTypeJson(getType(call), call)),
  },
  { method: 'GET', path: '_apis/wit/workitemtypes/:type/states', run: listStates },
  { method: 'GET', path: '_apis/wit/workitemtypes/:type/fields/:field', run: getFieldOfType },
  {
    method: 'GET',
    path: '_apis/wit/workitemtypecategories',
    run: (call) => createListResponse(typeCategories.map((category) => toCategoryJson(category, call))),
  },
  {
    method: 'GET',
    path: '_apis/wit/fields',
    run: (call) => createListResponse(ALL_FIELDS.map((field) => toFieldJson(field, call))),
  },
  {
    method: 'GET',
    path: '_apis/wit/fields/:field',
    run: (call) => createJsonResponse(toFieldJson(getNamedField(call), call)),
  },
]

function listStates(call: EndpointCall): WireResponse {
  return createListResponse(toStatesJson(getType(call)))
}

function getNamedField({ params }: EndpointCall): FieldDefinition {
  const field = findField(params.field!)
  if (field) return field
  throw new WireError(
    404,
    'WorkItemTrackingFieldDefinitionNotFoundException',
    `TF51535: Cannot find field ${params.field}.`,
  )
}

function getFieldOfType(call: EndpointCall): WireResponse {
  const field = getNamedField(call)
  const { referenceName } = field
  const ofType = toTypeFieldsJson(getType(call), call).find((candidate) => candidate.referenceName === referenceName)
  return createJsonResponse(ofType ?? toFieldJson(field, call))
}

function getType(call: EndpointCall): ItemType {
  const name = call.params.type!
  const type = findType(name)
  if (!type) throw createTypeNotFoundError(name, call)
  return type
}

export function createTypeNotFoundError(name: string, { model }: EndpointCall): WireError {
  return new WireError(
    404,
    'WorkItemTypeNotFoundException',
    `VS402323: Work item type ${name} does not exist in project ${model.project.name} or you do not have permission to access it.`,
  )
}

function toTypeJson(type: ItemType, call: EndpointCall): Record<string, unknown> {
  const { base, model } = call
  const fields = toTypeFieldsJson(type, call)
  const moves = type.states.map(({ name }) => ({ to: name, actions: null }))
  return {
    name: type.name,
    referenceName: type.referenceName,
    description: type.description,
    color: type.color,
    icon: { id: type.icon, url: `${base}/_apis/wit/workItemIcons/${type.icon}?color=${type.color}&v=2` },
    isDisabled: false,
    fields,
    fieldInstances: fields,
    transitions: { '': [moves[0]], ...Object.fromEntries(type.states.map(({ name }) => [name, moves])) },
    states: toStatesJson(type),
    url: buildTypeUrl(base, model.project.id, type.name),
  }
}

function toStatesJson(type: ItemType): Record<string, unknown>[] {
  return type.states.map(({ name, color, category }) => ({ name, color, category }))
}

function toTypeFieldsJson(type: ItemType, call: EndpointCall): Record<string, unknown>[] {
  return [...listFieldsOfType(type)].map((referenceName) => {
    const field = getField(referenceName)!
    return {
      alwaysRequired: ['System.Title', 'System.State'].includes(referenceName),
      defaultValue: type.defaults[referenceName] ?? null,
      ...(field.allowedValues ? { allowedValues: field.allowedValues } : {}),
      referenceName,
      name: field.name,
      url: buildFieldUrl(call.base, referenceName),
    }
  })
}

function toFieldJson(field: FieldDefinition, { base }: EndpointCall): Record<string, unknown> {
  const { referenceName, name, type, readOnly, isIdentity } = field
  return {
    name,
    referenceName,
    type,
    usage: 'workItem',
    readOnly,
    canSortBy: type !== 'html' && type !== 'history',
    isQueryable: true,
    isIdentity,
    isPicklist: false,
    url: buildFieldUrl(base, referenceName),
  }
}

function toCategoryJson({ name, referenceName, types }: TypeCategory, call: EndpointCall): Record<string, unknown> {
  const references = types.map((type) => ({ name: type, url: buildTypeUrl(call.base, call.model.project.id, type) }))
  return {
    name,
    referenceName,
    defaultWorkItemType: references[0],
    workItemTypes: references,
    url: `${call.base}/${call.model.project.id}/_apis/wit/workItemTypeCategories/${referenceName}`,
  }
}

/** The backlog levels of the project and the fields that its boards use. */
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
