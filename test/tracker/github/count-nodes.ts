import type { DocumentNode, FieldNode, FragmentDefinitionNode, SelectionSetNode } from 'graphql'

/** The number of nodes that a query can return, as GitHub counts them: the sizes of nested pages are multiplied. */
export function countNodes(document: DocumentNode, variables: Record<string, unknown> = {}): number {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const one of document.definitions) if (one.kind === 'FragmentDefinition') fragments.set(one.name.value, one)

  function count(set: SelectionSetNode | undefined, times: number): number {
    return (set?.selections ?? []).reduce((sum, selection) => {
      if (selection.kind === 'FragmentSpread')
        return sum + count(fragments.get(selection.name.value)?.selectionSet, times)
      if (selection.kind === 'InlineFragment') return sum + count(selection.selectionSet, times)
      const size = readPageSize(selection, variables)
      const pages = times * (size ?? 1)
      return sum + (size === null ? 0 : pages) + count(selection.selectionSet, pages)
    }, 0)
  }

  return document.definitions.reduce(
    (sum, one) => sum + (one.kind === 'OperationDefinition' ? count(one.selectionSet, 1) : 0),
    0,
  )
}

function readPageSize({ arguments: given = [] }: FieldNode, variables: Record<string, unknown>): number | null {
  const size = given.find(({ name }) => name.value === 'first' || name.value === 'last')?.value
  if (size?.kind === 'IntValue') return Number(size.value)
  return size?.kind === 'Variable' ? Number(variables[size.name.value]) : null
}
