import type { Endpoint, EndpointCall } from '../http/endpoint'
import { type TypeCategory, typeCategories } from '../process/backlog-levels'
import { ALL_FIELDS, type FieldDefinition, findField, getField } from '../process/fields'
import { findType, ITEM_TYPES, type ItemType, listFieldsOfType } from '../process/item-types'
import { createJsonResponse, createListResponse, type WireResponse } from '../wire/response'
import { buildFieldUrl, buildTypeUrl } from '../wire/urls'
import { WireError } from '../wire/wire-error'

/** What the process of the project says: types, their states and fields, categories. */
export const typeEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '_apis/wit/workitemtypes',
    run: (call) => createListResponse(ITEM_TYPES.map((type) => typeJson(type, call))),
  },
  {
    method: 'GET',
    path: '_apis/wit/workitemtypes/:type',
    run: (call) => createJsonResponse(typeJson(typeIn(call), call)),
  },
  {
    method: 'GET',
    path: '_apis/wit/workitemtypes/:type/states',
    run: (call) => createListResponse(statesJson(typeIn(call))),
  },
  {
    method: 'GET',
    path: '_apis/wit/workitemtypes/:type/fields',
    run: (call) => createListResponse(typeFieldsJson(typeIn(call), call)),
  },
  { method: 'GET', path: '_apis/wit/workitemtypes/:type/fields/:field', run: oneTypeField },
  {
    method: 'GET',
    path: '_apis/wit/workitemtypecategories',
    run: (call) => createListResponse(typeCategories.map((category) => categoryJson(category, call))),
  },
  { method: 'GET', path: '_apis/wit/workitemtypecategories/:category', run: oneCategory },
  {
    method: 'GET',
    path: '_apis/wit/fields',
    run: (call) => createListResponse(ALL_FIELDS.map((field) => fieldJson(field, call))),
  },
  { method: 'GET', path: '_apis/wit/fields/:field', run: oneField },
]

function typeIn(call: EndpointCall): ItemType {
  const name = call.params.type!
  const type = findType(name)
  if (type) return type
  throw new WireError(
    404,
    'WorkItemTypeNotFoundException',
    `VS402323: Work item type ${name} does not exist in project ${call.model.project.name} or you do not have permission to access it.`,
  )
}

function typeJson(type: ItemType, call: EndpointCall): Record<string, unknown> {
  const { base, model } = call
  const fields = typeFieldsJson(type, call)
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
    states: statesJson(type),
    url: buildTypeUrl(base, model.project.id, type.name),
  }
}

function statesJson(type: ItemType): Record<string, unknown>[] {
  return type.states.map(({ name, color, category }) => ({ name, color, category }))
}

function typeFieldsJson(type: ItemType, call: EndpointCall): Record<string, unknown>[] {
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

function oneTypeField(call: EndpointCall): WireResponse {
  const wanted = findField(call.params.field!)?.referenceName
  const found = typeFieldsJson(typeIn(call), call).find(({ referenceName }) => referenceName === wanted)
  return found ? createJsonResponse(found) : oneField(call)
}

function fieldJson(field: FieldDefinition, { base }: EndpointCall): Record<string, unknown> {
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

function oneField(call: EndpointCall): WireResponse {
  const field = findField(call.params.field!)
  if (field) return createJsonResponse(fieldJson(field, call))
  throw new WireError(
    404,
    'WorkItemTrackingFieldDefinitionNotFoundException',
    `TF51535: Cannot find field ${call.params.field}.`,
  )
}

function categoryJson({ name, referenceName, types }: TypeCategory, call: EndpointCall): Record<string, unknown> {
  const references = types.map((type) => ({ name: type, url: buildTypeUrl(call.base, call.model.project.id, type) }))
  return {
    name,
    referenceName,
    defaultWorkItemType: references[0],
    workItemTypes: references,
    url: `${call.base}/${call.model.project.id}/_apis/wit/workItemTypeCategories/${referenceName}`,
  }
}

function oneCategory(call: EndpointCall): WireResponse {
  const wanted = call.params.category!.toLowerCase()
  const found = typeCategories.find(({ name, referenceName }) =>
    [name, referenceName].some((one) => one.toLowerCase() === wanted),
  )
  if (found) return createJsonResponse(categoryJson(found, call))
  throw new WireError(
    404,
    'WorkItemTypeCategoryNotFoundException',
    `VS402324: Work item type category ${call.params.category} does not exist in project ${call.model.project.name} or you do not have permission to access it.`,
  )
}
