import type { DocumentNode, FieldNode, SelectionSetNode } from 'graphql'

/**
 * The points of a query as Linear documents them: 0.1 for a property, 1 for an object, and a connection multiplies what is in it by the size of
 * its page, or by 50.
 */
export function countPoints(document: DocumentNode, variables: Record<string, unknown>): number {
  const add = (set: SelectionSetNode): number =>
    set.selections.reduce((sum, selection) => sum + (selection.kind === 'Field' ? weigh(selection) : Number.NaN), 0)

  function weigh(field: FieldNode): number {
    if (!field.selectionSet) return 0.1
    const isConnection = field.selectionSet.selections.some((one) => one.kind === 'Field' && one.name.value === 'nodes')
    return isConnection ? readSize(field, variables) * add(field.selectionSet) : 1 + add(field.selectionSet)
  }

  const [operation] = document.definitions
  return operation?.kind === 'OperationDefinition' ? Math.ceil(add(operation.selectionSet)) : Number.NaN
}

export function readSize({ arguments: given = [] }: FieldNode, variables: Record<string, unknown>): number {
  const size = given.find(({ name }) => name.value === 'first' || name.value === 'last')?.value
  if (size?.kind === 'IntValue') return Number(size.value)
  return size?.kind === 'Variable' ? Number(variables[size.name.value] ?? 50) : 50
}
