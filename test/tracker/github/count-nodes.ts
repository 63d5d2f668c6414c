import { type DocumentNode, type FieldNode, type FragmentDefinitionNode, parse, type SelectionSetNode } from 'graphql'

/** The number of nodes that a query can return, as GitHub counts them: the sizes of nested pages are multiplied. */
export function countNodes(document: DocumentNode, variables: Record<string, unknown> = {}): number {
  return count(document, variables, (parents, size) => parents * size)
}

/** The points of the hourly limit that a query costs: one for every hundred connections that GitHub has to read for it, at least one. */
export function countPoints(query: string, variables: Record<string, unknown> = {}): number {
  return Math.max(1, Math.round(count(parse(query), variables, (parents) => parents) / 100))
}

/** Adds up `weigh` for each connection, which is read for each of its `parents` and returns `size` nodes. */
function count(
  document: DocumentNode,
  variables: Record<string, unknown>,
  weigh: (parents: number, size: number) => number,
): number {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const one of document.definitions) if (one.kind === 'FragmentDefinition') fragments.set(one.name.value, one)

  function add(set: SelectionSetNode | undefined, parents: number): number {
    return (set?.selections ?? []).reduce((sum, selection) => {
      if (selection.kind === 'FragmentSpread')
        return sum + add(fragments.get(selection.name.value)?.selectionSet, parents)
      if (selection.kind === 'InlineFragment') return sum + add(selection.selectionSet, parents)
      const size = readPageSize(selection, variables)
      return sum + (size === null ? 0 : weigh(parents, size)) + add(selection.selectionSet, parents * (size ?? 1))
    }, 0)
  }

  return document.definitions.reduce(
    (sum, one) => sum + (one.kind === 'OperationDefinition' ? add(one.selectionSet, 1) : 0),
    0,
  )
}

function readPageSize({ arguments: given = [] }: FieldNode, variables: Record<string, unknown>): number | null {
  const size = given.find(({ name }) => name.value === 'first' || name.value === 'last')?.value
  if (size?.kind === 'IntValue') return Number(size.value)
  return size?.kind === 'Variable' ? Number(variables[size.name.value]) : null
}
