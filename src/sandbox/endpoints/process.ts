import type { EndpointCall } from '../http/endpoint'
import { ALL_FIELDS, type FieldDefinition, findField } from '../process/fields'
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
import { createFieldNotFoundError, WireError } from '../wire/response'
import { buildFieldUrl, buildTypeUrl } from '../wire/urls'

export function listTypes(call: EndpointCall) {
  return ITEM_TYPES.map((type) => toTypeJson(type, call))
}

export function getType(call: EndpointCall) {
  return toTypeJson(requireType(call), call)
}

export function listStates(call: EndpointCall) {
  return toStatesJson(requireType(call))
}

export function listCategories(call: EndpointCall) {
  return typeCategories.map((category) => toCategoryJson(category, call))
}

export function listFields(call: EndpointCall) {
  return ALL_FIELDS.map((field) => toFieldJson(field, call))
}

export function getField(call: EndpointCall) {
  const field = findField(call.params.field!)
  if (field) return toFieldJson(field, call)
  throw createFieldNotFoundError(call.params.field!, 404)
}

export function getFieldOfType(call: EndpointCall) {
  return toTypeFieldJson(requireType(call), getField(call).referenceName, call)
}

/** The type of the path. Throws a 404 if it does not exist. */
export function requireType({ params, model }: EndpointCall): ItemType {
  const name = params.type!
  const type = findType(name)
  if (type) return type
  throw new WireError(
    404,
    'WorkItemTypeNotFoundException',
    `VS402323: Work item type ${name} does not exist in project ${model.project.name} or you do not have permission to access it.`,
  )
}

function toTypeJson(type: ItemType, call: EndpointCall) {
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

function toStatesJson(type: ItemType) {
  return type.states.map(({ name, color, category }) => ({ name, color, category }))
}

function toTypeFieldsJson(type: ItemType, call: EndpointCall) {
  return [...listFieldsOfType(type)].map((referenceName) => toTypeFieldJson(type, referenceName, call))
}

function toTypeFieldJson(type: ItemType, referenceName: string, call: EndpointCall) {
  const field = findField(referenceName)!
  return {
    alwaysRequired: ['System.Title', 'System.State'].includes(referenceName),
    // Numbers are sent as texts.
    defaultValue: type.defaults[referenceName]?.toString() ?? null,
    ...(field.allowedValues ? { allowedValues: field.allowedValues.map(String) } : {}),
    referenceName,
    name: field.name,
    url: buildFieldUrl(call.base, referenceName),
  }
}

function toFieldJson(field: FieldDefinition, { base }: EndpointCall) {
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

function toCategoryJson({ name, referenceName, types }: TypeCategory, call: EndpointCall) {
  const references = types.map((type) => toTypeReference(type, call))
  return {
    name,
    referenceName,
    defaultWorkItemType: references[0],
    workItemTypes: references,
    url: `${call.base}/${call.model.project.id}/_apis/wit/workItemTypeCategories/${referenceName}`,
  }
}

/** The backlog levels of the project and the fields that its boards use. */
export function getBacklogConfiguration(call: EndpointCall) {
  return {
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
  }
}

/** The name and address of a type. */
function toTypeReference(name: string, { base, model }: EndpointCall) {
  return { name, url: buildTypeUrl(base, model.project.id, name) }
}

function toLevelJson(level: BacklogLevel, call: EndpointCall) {
  return {
    id: level.id,
    name: level.name,
    rank: level.rank,
    workItemCountLimit: 1000,
    workItemTypes: level.types.map((type) => toTypeReference(type, call)),
    defaultWorkItemType: toTypeReference(level.defaultType, call),
    color: level.color,
    isHidden: level.id === 'Microsoft.EpicCategory',
  }
}
