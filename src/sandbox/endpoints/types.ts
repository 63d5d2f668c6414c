import type { Call, Endpoint } from '../http/call'
import { allFields, type FieldDefinition, fieldOf, findField } from '../process/fields'
import { type TypeCategory, typeCategories } from '../process/levels'
import { fieldsOfType, findType, type ItemType, itemTypes } from '../process/types'
import { fieldUrl, typeUrl } from '../wire/addresses'
import { type Answer, jsonAnswer, listAnswer } from '../wire/answer'
import { Refusal } from '../wire/refusal'

/** What the process of the project says: types, their states and fields, categories. */
export const typeEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '_apis/wit/workitemtypes',
    run: (call) => listAnswer(itemTypes.map((type) => typeJson(type, call))),
  },
  { method: 'GET', path: '_apis/wit/workitemtypes/:type', run: (call) => jsonAnswer(typeJson(typeIn(call), call)) },
  { method: 'GET', path: '_apis/wit/workitemtypes/:type/states', run: (call) => listAnswer(statesJson(typeIn(call))) },
  {
    method: 'GET',
    path: '_apis/wit/workitemtypes/:type/fields',
    run: (call) => listAnswer(typeFieldsJson(typeIn(call), call)),
  },
  { method: 'GET', path: '_apis/wit/workitemtypes/:type/fields/:field', run: oneTypeField },
  {
    method: 'GET',
    path: '_apis/wit/workitemtypecategories',
    run: (call) => listAnswer(typeCategories.map((category) => categoryJson(category, call))),
  },
  { method: 'GET', path: '_apis/wit/workitemtypecategories/:category', run: oneCategory },
  {
    method: 'GET',
    path: '_apis/wit/fields',
    run: (call) => listAnswer(allFields.map((field) => fieldJson(field, call))),
  },
  { method: 'GET', path: '_apis/wit/fields/:field', run: oneField },
]

function typeIn(call: Call): ItemType {
  const name = call.params.type!
  const type = findType(name)
  if (type) return type
  throw new Refusal(
    404,
    'WorkItemTypeNotFoundException',
    `VS402323: Work item type ${name} does not exist in project ${call.world.project.name} or you do not have permission to access it.`,
  )
}

function typeJson(type: ItemType, call: Call): Record<string, unknown> {
  const { base, world } = call
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
    url: typeUrl(base, world.project.id, type.name),
  }
}

function statesJson(type: ItemType): Record<string, unknown>[] {
  return type.states.map(({ name, color, category }) => ({ name, color, category }))
}

function typeFieldsJson(type: ItemType, call: Call): Record<string, unknown>[] {
  return [...fieldsOfType(type)].map((referenceName) => {
    const field = fieldOf(referenceName)!
    return {
      alwaysRequired: ['System.Title', 'System.State'].includes(referenceName),
      defaultValue: type.defaults[referenceName] ?? null,
      ...(field.allowedValues ? { allowedValues: field.allowedValues } : {}),
      referenceName,
      name: field.name,
      url: fieldUrl(call.base, referenceName),
    }
  })
}

function oneTypeField(call: Call): Answer {
  const wanted = findField(call.params.field!)?.referenceName
  const found = typeFieldsJson(typeIn(call), call).find(({ referenceName }) => referenceName === wanted)
  return found ? jsonAnswer(found) : oneField(call)
}

function fieldJson(field: FieldDefinition, { base }: Call): Record<string, unknown> {
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
    url: fieldUrl(base, referenceName),
  }
}

function oneField(call: Call): Answer {
  const field = findField(call.params.field!)
  if (field) return jsonAnswer(fieldJson(field, call))
  throw new Refusal(
    404,
    'WorkItemTrackingFieldDefinitionNotFoundException',
    `TF51535: Cannot find field ${call.params.field}.`,
  )
}

function categoryJson({ name, referenceName, types }: TypeCategory, call: Call): Record<string, unknown> {
  const references = types.map((type) => ({ name: type, url: typeUrl(call.base, call.world.project.id, type) }))
  return {
    name,
    referenceName,
    defaultWorkItemType: references[0],
    workItemTypes: references,
    url: `${call.base}/${call.world.project.id}/_apis/wit/workItemTypeCategories/${referenceName}`,
  }
}

function oneCategory(call: Call): Answer {
  const wanted = call.params.category!.toLowerCase()
  const found = typeCategories.find(({ name, referenceName }) =>
    [name, referenceName].some((one) => one.toLowerCase() === wanted),
  )
  if (found) return jsonAnswer(categoryJson(found, call))
  throw new Refusal(
    404,
    'WorkItemTypeCategoryNotFoundException',
    `VS402324: Work item type category ${call.params.category} does not exist in project ${call.world.project.name} or you do not have permission to access it.`,
  )
}
